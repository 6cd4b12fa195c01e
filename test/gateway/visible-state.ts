import type { TestInstance, World } from '../support/world.js'

/** Returns the state that a call must not change, as text to compare. */
export async function visibleState(world: World, instance: TestInstance): Promise<string> {
  const all = await world.gateway.call<Record<string, unknown>[]>('GET', '/instance/all', { admin: true })
  const { messages } = (await instance.call<{ messages: Record<string, unknown>[] }>('POST', '/message/find', {})).body
  return JSON.stringify([
    // A link says when it ends, and each answer has a fresh one.
    messages.map(({ fileURL, ...message }) => ({ ...message, hasFile: fileURL !== '' })),
    (await instance.call('GET', '/webhook')).body,
    (await instance.status()).status.jid,
    all.body.map(({ id, name, status, fieldsMap }) => [id, name, status, fieldsMap]),
  ])
}
