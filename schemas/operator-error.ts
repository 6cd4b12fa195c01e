/**
 * A mistake or a state of the machine that the operator can mend: `message` is a whole sentence that says what to do.
 * Whoever ends the process prints the message alone, without a stack.
 */
export class OperatorError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'OperatorError'
  }
}
