/** Bodies in the form of Evolution API, field by field beside those of the original. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { envelopeSample, eventSamples } from '../../../scripts/evolution-samples.js'
import { evolutionEventName, evolutionEventNames, kindsOfEvolution } from './event-names.js'
import { evolutionBodies } from './events.js'

type Json = Record<string, unknown>

const place = { instanceId: 'i123', name: 'shop' }
const receiver = { url: 'https://example.org/hook', baseUrl: 'https://gateway/evolution', apikey: 'key', events: [] }
const made = (ours: Json, events: readonly string[] = []) =>
  evolutionBodies({ owner: '5511999990001', timestamp: 1_795_446_256_299, ...ours }, place, { ...receiver, events })

/** Returns the type of each field, by its path. */
function listTypes(value: unknown, at = ''): Record<string, string> {
  if (typeof value !== 'object' || value === null) return { [at]: value === null ? 'null' : typeof value }
  const entries = Object.entries(value).map(([name, inner]) => listTypes(inner, at === '' ? name : `${at}.${name}`))
  return Object.assign({}, ...entries) as Record<string, string>
}

describe('bodies of events as Evolution API has them', () => {
  for (const { event, theirs, ours, differs = {} } of eventSamples) {
    it(`${event} has the fields and types of the original, but for the differences that are listed`, () => {
      const found = made(ours).find(({ body }) => body.event === event)
      assert.ok(found, `no ${event}`)
      assert.equal(found.path, `/${event.replaceAll('.', '-')}`)
      const [wanted, got] = [listTypes(theirs), listTypes(found.body.data)]
      const unlike = [...new Set([...Object.keys(wanted), ...Object.keys(got)])].filter(
        (field) => wanted[field] !== got[field],
      )
      const isListed = (field: string) =>
        Object.keys(differs).some((one) => field === one || field.startsWith(`${one}.`))
      assert.deepEqual(
        unlike.filter((field) => !isListed(field)),
        [],
      )
      const needless = Object.keys(differs).filter(
        (one) => !unlike.some((field) => field === one || field.startsWith(`${one}.`)),
      )
      assert.deepEqual(needless, [], 'a difference is listed that is none')
    })
  }

  it('puts each into the envelope of the original', () => {
    const [first] = made(eventSamples[0]?.ours ?? {})
    const { data: _, ...envelope } = first?.body ?? {}
    const { data: __, ...wanted } = envelopeSample
    assert.deepEqual(listTypes(envelope), listTypes(wanted))
  })

  it('tells what the API sends from what the phone sends', () => {
    const message = { ...(eventSamples[0]?.ours.message as Json), fromMe: true }
    const events = (more: Json) =>
      made({ EventType: 'messages', message: { ...message, ...more } }).map(({ body }) => body.event)
    assert.deepEqual(events({}), ['messages.upsert'])
    assert.deepEqual(events({ wasSentByApi: true, status: 'pending' }), ['send.message'])
  })

  it('takes all spellings of names, and makes only the events that are chosen', () => {
    assert.equal(evolutionEventName('messages.upsert'), 'MESSAGES_UPSERT')
    assert.equal(evolutionEventName('GROUPS_UPDATE'), 'GROUP_UPDATE')
    assert.equal(evolutionEventName('nothing'), undefined)
    assert.deepEqual(kindsOfEvolution(['SEND_MESSAGE', 'CALL']), ['messages', 'call'])
    assert.deepEqual(kindsOfEvolution(['APPLICATION_STARTUP']), [])
    assert.equal(new Set(evolutionEventNames.map(({ wire }) => wire)).size, evolutionEventNames.length)
    assert.deepEqual(made(eventSamples[0]?.ours ?? {}, ['SEND_MESSAGE']), [])
  })
})
