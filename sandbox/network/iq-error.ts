/** A request that the network refuses: becomes `<iq type="error"><error code text/></iq>`. */
export class IqError extends Error {
  constructor(
    readonly code: number,
    readonly text: string,
  ) {
    super(`${code} ${text}`)
  }
}
