import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'
import { opus, wav } from '../support/samples.js'
import { type StandIn, standInFfmpeg } from '../support/stand-in-ffmpeg.js'

type Json = Record<string, unknown>

const ANA = '15550590001'
const BEN = '15550590002'
const EVE = '15550590003'
const VCARD = 'BEGIN:VCARD\nVERSION:3.0\nFN:Eve Doe\nitem1.TEL;waid=15550590003:+1 555 059-0003\nEND:VCARD'

interface Sound {
  readonly kind: string
  readonly ptt: boolean
  readonly mimetype: string
}

describe('sounds, places and cards with Chatwoot', () => {
  let ffmpeg: StandIn | undefined
  const { world, platform, shown, wrote, arrived, cleanup } = chatwootSuite({
    env: () => {
      ffmpeg = standInFfmpeg(cleanup)
      return { FFMPEG_PATH: ffmpeg.program }
    },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
  })
  const write = (message: Json) => world.network('POST', `/phones/${BEN}/message`, { to: ANA, message })
  const last = (conversationId: number) => platform().messages(conversationId).at(-1)

  it('show a voice note as a sound that agents can play', async () => {
    const { conversationId } = await wrote(BEN, 'listen')
    const bytes = opus()
    const sound = { to: ANA, kind: 'audio', ptt: true, base64: bytes.toString('base64') }
    await world.network('POST', `/phones/${BEN}/media`, sound)
    await eventually(() => last(conversationId)?.attachments.length === 1)
    const note = last(conversationId)?.attachments[0]
    assert.deepEqual([note?.fileType, note?.contentType.split(';')[0]], ['audio', 'audio/ogg'])
    assert.deepEqual(note?.bytes, bytes)
    assert.equal(last(conversationId)?.type, 'incoming')
  })

  it('show a place as its name, address and a link to a map', async () => {
    const place = { degreesLatitude: -23.5, degreesLongitude: -46.6, name: 'The shop', address: 'Rua A 1' }
    await write({ locationMessage: place })
    await shown('📍 The shop, Rua A 1\nhttps://www.google.com/maps?q=-23.5,-46.6')
    await write({ locationMessage: { degreesLatitude: 1.5, degreesLongitude: 2.5 } })
    await shown('📍\nhttps://www.google.com/maps?q=1.5,2.5')
  })

  it('show a card, and several in one message, as names with numbers', async () => {
    const card = { displayName: 'Eve Doe', vcard: VCARD }
    await write({ contactMessage: card })
    await shown('👤 Eve Doe\n+1 555 059-0003')
    const other = { displayName: 'Dan Roe', vcard: VCARD.replaceAll('Eve Doe', 'Dan Roe') }
    await write({ contactsArrayMessage: { displayName: '2 contacts', contacts: [card, other] } })
    await shown('👤 Eve Doe\n+1 555 059-0003\n\nDan Roe\n+1 555 059-0003')
  })

  it('send a recording of an agent as a voice note, after its text', async () => {
    const { conversationId } = await wrote(EVE, 'tell me')
    const recording = { fileName: 'recording.wav', contentType: 'audio/wav', bytes: wav() }
    platform().agentReplies(conversationId, { content: 'my answer', files: [recording] })
    await arrived(EVE, 'my answer')
    const sounds = async () =>
      (await world.network<{ id: string; media: Sound[] }[]>('GET', `/phones/${EVE}/messages?own=false`)).filter(
        ({ media }) => media.length > 0,
      )
    const [note] = await eventually(sounds, (found) => found.length > 0)
    assert.deepEqual([note?.media[0]?.kind, note?.media[0]?.ptt], ['audio', true])
    const [file] = await world.network<{ base64: string }[]>('GET', `/phones/${EVE}/media/${note?.id}`)
    assert.deepEqual(Buffer.from(file?.base64 ?? '', 'base64'), ffmpeg?.voiceNote)
  })

  it('send a recording that cannot be converted as a file', async () => {
    const { conversationId } = await wrote(EVE, 'and again')
    const bytes = Buffer.concat([wav(), Buffer.from('FAIL')])
    platform().agentReplies(conversationId, { files: [{ fileName: 'broken.wav', contentType: 'audio/wav', bytes }] })
    const files = async () =>
      (await world.network<{ media: Sound[] }[]>('GET', `/phones/${EVE}/messages?own=false`))
        .flatMap(({ media }) => media)
        .filter(({ kind }) => kind === 'document')
    await eventually(files, (found) => found.length === 1)
  })
})
