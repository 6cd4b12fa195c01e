/** The form in which the statements of the interface are listed, each with the tests that show it. */

/** Promises to callers, in our own words; then the tests, by `inFile`. Without one it is open. */
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

/** A sentence of the interface that no test could show: a heading of a list, an advice, or that something is not shown. */
export const INFORMS = { informs: true } as const

/** Word for word; then the tests that show it. Without one it is open. */
export type Sentence = readonly [says: string, ...shownBy: readonly (TestName | typeof INFORMS)[]]

export interface Section {
  /** As it stands there, with its `#`. */
  readonly heading: string
  readonly sentences: readonly Sentence[]
}

export function section(heading: string, sentences: readonly Sentence[]): Section {
  return { heading, sentences }
}

/** The tests of statements of an area. @throws Error for a statement that is not there */
export function by({ title, statements }: Area, ...ids: readonly string[]): readonly TestName[] {
  return ids.flatMap((id) => {
    const statement = statements[id]
    if (statement === undefined) throw new Error(`${title} has no statement ${id}.`)
    const [, ...tests] = statement
    return tests
  })
}
