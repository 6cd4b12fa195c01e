/**
 * Of tests that are long and much alike a whole run makes one of two, by chance; a run of chosen files makes all (`scripts/test.ts` sets
 * POSTHORN_TEST_TURN). The reason to skip this one, or false.
 */
export function isOutOfTurn(turn: 'first' | 'second'): string | false {
  const { POSTHORN_TEST_TURN: now } = process.env
  return now !== undefined && now !== turn && `it is the turn of the ${now} ones`
}
