import type { GroupInfo } from '../../../schemas/group-info.js'
import type { InstanceContext } from '../context.js'

/** Writes the chat of a group that this account has just come into. */
export async function writeGroupChat({ journal }: InstanceContext, { jid, name }: GroupInfo): Promise<void> {
  const set = { wa_isGroup: true, wa_isGroup_member: true, ...(name === '' ? {} : { name }) }
  await journal.write([{ type: 'chat', chat: { group: jid }, set, announce: true }])
}

/** Gives the answer when everything is stored that the connection reported until now. */
export async function answerWhenStored<T>({ journal }: InstanceContext, answer: T): Promise<T> {
  await journal.settled()
  return answer
}
