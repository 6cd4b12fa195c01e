/** A wish that a phone cannot fulfil; `status` is that of the control API's answer. */
export class PhoneError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}
