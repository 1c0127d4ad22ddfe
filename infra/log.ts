/** Where the program tells people what it finds and what it is going to do. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
