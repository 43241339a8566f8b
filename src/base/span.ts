/** A place in a source text. Everything the product shows can be traced back to one. */

/** A half-open range of UTF-16 code units `[start, end)` in the file named `file`. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Whether `offset` (UTF-16 units) lies in the span, its end included so that a cursor behind the last letter counts. */
export function spanContains(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** Whether `inner` lies within `outer`, in the same file. */
export function spanEncloses(outer: Span, inner: Span): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}

/** A text that names a span, to look it up by where it is. */
export function spanKey(span: Span): string {
  return `${span.start}:${span.end}:${span.file}`;
}
