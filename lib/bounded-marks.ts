// Bound: 65,536, a text of a message.

/** More marks on one letter than any language writes. */
const MARKS_MAX = 8
const LONG_RUN = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, 'gu')

/**
 * Drops marks that follow eight others. Call it before `normalize`, which sorts each run of marks in a time that grows with its square: a message
 * of 65,536 marks takes many seconds.
 */
export function boundedMarks(text: string): string {
  return text.replace(LONG_RUN, '$1')
}
