import { userOf } from '../../../schemas/jid.js'
import { orUnknown } from '../../instance/outcome.js'
import type { Connection } from '../../network/port/connection.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { answerWhenStored } from './group-chat.js'

/** Connections over which all groups were fetched. From then on notifications keep the stored list true. */
const listed = new WeakSet<Connection>()

/** Makes the stored list of groups true, and answers with the digits of this account's own number. */
export const listGroups = operation('listGroups', {
  repeat: true,
  example: { own: '' },
  async run(context: InstanceContext, { isFresh }: { readonly isFresh: boolean }) {
    const connection = await context.connection()
    const pn = context.account.own?.pn
    // A pairing of a moment ago may not have stored the number yet.
    const answer = { own: pn === undefined ? '' : userOf(pn) }
    if (!isFresh && listed.has(connection) && !(await context.reader.hasDoubtfulGroups(context.id))) return answer
    await orUnknown(() => connection.groups.fetchAll())
    listed.add(connection)
    return await answerWhenStored(context, answer)
  },
})
