/** A call as people see it beside an action: what it does, without the token. */
export interface ShownFile {
  readonly name: string
}

export interface ShownCall {
  readonly operation: string
  readonly method: string
  /** Address of the gateway. */
  readonly base: string
  /** With its parameters filled in. */
  readonly path: string
  /** Parameters of the path, in its order. */
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, unknown>> | undefined
  /** A local file stands in it as its mark. */
  readonly body: unknown
  readonly files: ReadonlyMap<string, ShownFile>
  /** Header that has the token. */
  readonly header: 'token' | 'admintoken'
}
