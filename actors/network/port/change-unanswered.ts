/** The cause of an error for a change that was asked of the network over a connection that ended before the answer. */
export class ChangeUnanswered extends Error {
  constructor() {
    super('The connection ended before WhatsApp answered a change.')
  }
}
