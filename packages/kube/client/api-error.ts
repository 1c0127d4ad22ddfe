/** One cause inside a refusal: which field, and why. */
export interface ApiErrorCause {
  readonly field?: string;
  readonly reason?: string;
  readonly message?: string;
}

interface StatusBody {
  message?: string;
  reason?: string;
  code?: number;
  details?: { causes?: ApiErrorCause[]; retryAfterSeconds?: number };
}

/** An answer of the API server that is not a success, with what it said. */
export class ApiError extends Error {
  readonly status: number;
  /** The machine-readable word of the answer: `NotFound`, `Conflict`, `Expired`… */
  readonly reason: string;
  /** What the server said, in its own words. */
  readonly answer: string;
  readonly causes: readonly ApiErrorCause[];
  readonly retryAfterSeconds: number | undefined;

  constructor(request: string, status: number, body: unknown, retryAfter?: string) {
    const answer = statusBody(body);
    const { message = 'no message' } = answer;
    super(`${request}: ${status} ${answer.reason ?? ''}: ${message}`);
    this.name = 'ApiError';
    this.answer = message;
    this.status = status;
    this.reason = answer.reason ?? '';
    this.causes = answer.details?.causes ?? [];
    this.retryAfterSeconds = seconds(retryAfter) ?? answer.details?.retryAfterSeconds;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** The API server has no such resource at all: then it answers in plain text, without saying which object it missed. */
export function isNotServed(error: unknown): boolean {
  return isNotFound(error) && error instanceof ApiError && error.reason === '';
}

/** The object is not as the request assumes, or is another one: look again. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 409 || isAboutUid(error));
}

/** The answer to an apply that names another uid than the object has: the uid cannot be changed. */
function isAboutUid({ causes }: ApiError): boolean {
  return causes.some(({ field }) => field === 'metadata.uid');
}

/** The resourceVersion is older than what the API server remembers, or from a future that it lost: list again. */
export function isExpired(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 410 || (error.status === 504 && error.message.includes('Too large resource version'));
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 413, 422]);

/** The API server understood the request and will refuse it again, however often it is repeated. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || isConflict(error)) return false;
  // Server-side apply answers a field that its schema does not know as if the server itself had failed.
  const untyped = error.status === 500 && error.message.includes('failed to create typed patch object');
  const tooLarge = error.status === 500 && error.message.includes('request is too large');
  return untyped || tooLarge || REFUSALS.has(error.status);
}

function statusBody(body: unknown): StatusBody {
  if (typeof body === 'string') return { message: body.slice(0, 500) };
  return typeof body === 'object' && body !== null ? body : {};
}

function seconds(header: string | undefined): number | undefined {
  const value = Number(header);
  return header === undefined || Number.isNaN(value) ? undefined : value;
}
