import type { TestInstance, World } from '../support/world.js'

/** What a call that must change nothing could have changed, as text to compare. */
export async function visibleState(world: World, instance: TestInstance): Promise<string> {
  const all = await world.gateway.call<Record<string, unknown>[]>('GET', '/instance/all', { admin: true })
  return JSON.stringify([
    (await instance.call('POST', '/message/find', {})).body,
    (await instance.call('GET', '/webhook')).body,
    (await instance.status()).status.jid,
    all.body.map(({ id, name, status, fieldsMap }) => [id, name, status, fieldsMap]),
  ])
}
