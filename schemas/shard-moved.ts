/**
 * The instance's shard left this node before a call of it was answered. Thrown by the host, caught by the router, which asks the next
 * owner; no caller of the API ever sees it.
 *
 * What it must be true to, so that a call is carried out once:
 * - `wasBegun: false`: surely nothing of the call was done, and nothing will be. Any command may be asked again as it is.
 * - `wasBegun: true`: it was under way; it may have happened, wholly or in part. The router asks again only what can be asked twice
 *   (`repeat` of the definitions in `actors/operations`); anything else is answered OUTCOME_UNKNOWN.
 *
 * A send is such a command. Its message id is made by the node that got the call, before any routing, and the second asking says that it
 * is one (`isRepeat`). The owner then looks for the row of that id first. Whatever the former owner wrote is visible by then and nothing
 * of it can come later, because its writes are refused since the epoch was raised, and the new owner acts only after that:
 * - no row: the frame never left (the gate holds it until its row is durable), so the message is sent as if asked for the first time;
 * - `pending`: it is the new owner's to relay again, under the same id (`relays.ts`); the call waits for the network's answer to that;
 * - `queued`, `sent`, `failed`, …: the row is the answer.
 * The first asking itself must not be carried out after that, wherever it lies: as a local one it ends with its actor; on the way to
 * another node it is good for one epoch only, so no later owner takes it, and the same owner knows the ids that it was sent.
 */
export class ShardMoved extends Error {
  readonly wasBegun: boolean

  constructor({ wasBegun }: { wasBegun: boolean }) {
    super('The shard of the instance left this node.')
    this.name = 'ShardMoved'
    this.wasBegun = wasBegun
  }
}
