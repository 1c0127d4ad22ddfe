// Pulumi's host compiles an entry point in TypeScript with its own compiler and settings; what JavaScript imports it
// leaves to Node, which runs TypeScript by itself.
import './pack.ts';
