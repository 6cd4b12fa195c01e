/** Writes to the tables of Chatwoot by the owner of an instance: under its epoch, so that a node that has lost the instance changes nothing. */
import type pg from 'pg'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'

/** Executes one statement that changes rows of an instance, whose text has `FENCE` among its conditions. */
export type ChatwootWrite = (instance: InstanceId, text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

/** Stands in a statement for the condition that the writer owns the instance. */
export const FENCE = '$FENCE'
const NOT_PASSED = 'Another node owns the shard of this write, or nobody: '
const INVALID_TEXT = '22P02'

/** Writes of any node, such as those that take a webhook. */
export function openWrites(pool: pg.Pool): ChatwootWrite {
  return (_instance, text, values) => pool.query(text.replace(FENCE, 'true'), [...values])
}

/**
 * Writes of the owner. Each locks the row of the shard until it is durable, so that a new owner waits for it.
 * @param findEpoch returns null for an instance that this node does not own
 * @param owner the incarnation of this node
 * @throws GatewayError NOT_OWNER
 */
export function fencedWrites(
  pool: pg.Pool,
  findEpoch: (instance: InstanceId) => number | null,
  owner: string,
): ChatwootWrite {
  return async (instance, text, values) => {
    const epoch = findEpoch(instance)
    if (epoch === null) throw new GatewayError('NOT_OWNER')
    try {
      return await pool.query(
        text.replace(FENCE, () => conditionAt(values.length)),
        [...values, instance, epoch, owner],
      )
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string }
      if (code === INVALID_TEXT && message.includes(NOT_PASSED)) throw new GatewayError('NOT_OWNER', { cause: error })
      throw error
    }
  }
}

/** The text of the failure holds something that is not known when the statement is planned. */
function conditionAt(before: number): string {
  const [instance, epoch, owner] = [before + 1, before + 2, before + 3]
  const own = `SELECT 1 FROM shard_owner WHERE shard = shard_of($${instance}::text) AND epoch = $${epoch}::bigint AND owner = $${owner} FOR SHARE`
  return `COALESCE((${own}), ('${NOT_PASSED}' || random()::text)::int) = 1`
}
