export interface Cidr {
  readonly base: number;
  readonly bits: number;
}

/** `10.1.0.0/16`, or undefined if the text is not an IPv4 network. */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(text);
  if (match === null) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = match.slice(1).map(Number);
  if ([a, b, c, d].some((octet) => octet > 255) || bits > 32) return undefined;
  return { base: ((a << 24) | (b << 16) | (c << 8) | d) >>> 0, bits };
}

/** The n-th address of a network. */
export function addressAt(cidr: string, index: number): string {
  const parsed = parseCidr(cidr);
  if (parsed === undefined) throw new Error(`${cidr} is not an IPv4 network`);
  const address = (parsed.base + index) >>> 0;
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}

export function overlaps(one: Cidr, other: Cidr): boolean {
  const bits = Math.min(one.bits, other.bits);
  if (bits === 0) return true;
  const mask = (0xffffffff << (32 - bits)) >>> 0;
  return (one.base & mask) >>> 0 === (other.base & mask) >>> 0;
}
