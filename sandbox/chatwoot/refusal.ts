/** A request that the platform refuses, with its status and words. */
export class Refusal extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

export const refusals = {
  noToken: () => new Refusal(401, { error: 'Invalid Access Token' }),
  noAccess: () => new Refusal(401, { error: 'You are not authorized to access this account' }),
  noRight: () => new Refusal(401, { error: 'You are not authorized to do this action' }),
  notFound: () => new Refusal(404, { error: 'Resource could not be found' }),
  /** Refusal of a model: the sentence of its validation and the fields that it is about. */
  invalid: (message: string, ...attributes: string[]) => new Refusal(422, { message, attributes }),
  /** Refusal of a controller. */
  unprocessable: (error: string) => new Refusal(422, { error }),
  forbidden: (error: string) => new Refusal(403, { error }),
} as const
