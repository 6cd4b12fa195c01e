import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GroupInfo } from '../../../schemas/group-info.js'
import { longestStopMs } from '../../../test/support/main-thread-time.js'
import { groupsAnswer } from './record.js'

const GROUPS = 20
const MAX_MS = 20
const participants = Array.from({ length: 1_024 }, (_, index) => ({
  ...{ jid: `${100_000_000_000_000 + index}@lid`, other: `${5_511_999_000_000 + index}@s.whatsapp.net` },
  role: 'member',
}))
const group = { ...{ nameSetAt: 0, topic: '', topicSetAt: 0, created: 0, owner: '' }, participants }

it('answers large groups in parts, without keeping the event loop while the reader takes all at once', async () => {
  const groups = async function* () {
    for (let index = 0; index < GROUPS; index += 1)
      yield [{ ...group, jid: `${index}@g.us`, name: `group ${index}` } as unknown as GroupInfo]
  }
  const read = async () => {
    const { body } = groupsAnswer(groups(), { own: '5511999000000', instance: '', noParticipants: false })
    let text = ''
    for await (const part of body as AsyncIterable<Buffer>) text += part.toString()
    return text
  }
  const ms = await longestStopMs(read, MAX_MS)
  assert.ok(ms < MAX_MS, `${ms.toFixed(1)} ms`)
  const found = JSON.parse(await read()) as { groups: { Name: string; ParticipantCount: number }[] }
  assert.deepEqual(
    found.groups.map(({ Name, ParticipantCount }) => [Name, ParticipantCount]),
    Array.from({ length: GROUPS }, (_, index) => [`group ${index}`, participants.length]),
  )
})
