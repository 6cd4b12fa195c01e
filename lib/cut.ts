// Bound: 1,048,576, a field of a request.

/** The beginning of a text, in units of UTF-16, without the half of a character that a cut there may leave: no header, and no protobuf, takes one. */
export function cut(text: string, unitsMax: number): string {
  return text.slice(0, unitsMax).replace(/\p{Cs}$/u, '')
}
