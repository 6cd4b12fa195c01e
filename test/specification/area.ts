/** The form in which the statements of the interface are listed, each with the tests that show it. */

/** What a caller may rely on, in our own words; then the tests, by `inFile`. Without one it is open. */
export type Statement = readonly [says: string, ...shownBy: readonly TestName[]]

/** `<file> > <describe> > <it>`, word for word as they stand in the file. */
export type TestName = `${string}.ts > ${string}`

export interface Area {
  /** As a heading. */
  readonly title: string
  /** By ids that stay: short words, unique within the area. */
  readonly statements: Readonly<Record<string, Statement>>
}

/** Names the tests of one file: `const calls = inFile('test/gateway/calls.integration.ts', 'calls')`, `calls('that ring …')`. */
export function inFile(file: `${string}.ts`, describe?: string): (it: string) => TestName {
  return (it) => (describe === undefined ? `${file} > ${it}` : `${file} > ${describe} > ${it}`)
}
