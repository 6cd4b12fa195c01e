import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>
interface AddRequest {
  readonly Code: string
  readonly Expiration: string
}

const ANA = '15550745001'
const BEN = '15550745002'
const EVE = '15550745003'
const BOB = '15550745004'

describe('an invitation card of a group', () => {
  const { world, account: ana } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
  })
  let bob: TestInstance
  let group: string
  const call = (path: string, body: Json) => ana.call<Json>('POST', path, body)
  const join = (body: Json) => bob.call<Json>('POST', '/group/join', body)
  const card = (number: string, { Code, Expiration }: AddRequest, more: Json = {}) =>
    call('/send/group-invite', { number, groupjid: group, code: Code, expiration: Expiration, ...more })
  /** Adds a person whose settings let nobody add them. */
  const refusedAdd = async (number: string): Promise<AddRequest> => {
    const { status, body } = await call('/group/updateParticipants', {
      ...{ groupjid: group, action: 'add', participants: [number] },
    })
    assert.equal(status, 200, JSON.stringify(body))
    const [one] = body.groupUpdated as (Json & { AddRequest?: AddRequest })[]
    assert.equal(one?.Error, 403)
    assert.ok(one.AddRequest)
    return one.AddRequest
  }
  /** Sends Bob a card, and returns its message as Bob's account has it. */
  const received = async (request: AddRequest): Promise<Json> => {
    const { body } = await card(BOB, request)
    const found = () => bob.messages({ id: body.messageid })
    return (await eventually(found, (messages) => messages.length === 1))[0] as Json
  }

  before(async () => {
    bob = await world.paired(BOB, 'Bob')
    for (const phone of [BEN, BOB])
      await world.network('POST', `/phones/${phone}/privacy`, { category: 'groupadd', value: 'none' })
    const made = await world.network<{ jid: string }>('POST', '/groups', {
      ...{ owner: ANA, subject: 'Garden', members: [EVE] },
    })
    group = made.jid
    await eventually(() => ana.chat(group))
  })

  it('is sent to a person who may not be added, with the code that adding them gave', async () => {
    const request = await refusedAdd(BEN)
    assert.ok(Date.parse(request.Expiration) > Date.now())
    const { status, body } = await card(BEN, request, { text: 'Join us, {{name}}', allowEmpty: true })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([body.messageType, body.sendFunction], ['invite', 'group-invite'])
    const { message } = await world.shownAt<{ message: Json }>(BEN, body.messageid)
    const shown = message.groupInviteMessage as Json
    assert.deepEqual(
      [shown.groupJid, shown.groupName, shown.inviteCode, String(shown.inviteExpiration)],
      [group, 'Garden', request.Code, String(Date.parse(request.Expiration) / 1000)],
    )
    assert.match(String(shown.caption), /^Join us, /)
  })

  it('is stored when it is received, and lets the account join', async () => {
    const request = await refusedAdd(BOB)
    const message = await received(request)
    assert.equal(message.messageType, 'invite')
    assert.match(String(message.text), /Invitation to the group Garden/)
    assert.equal((message.content as Json).inviteCode, request.Code)
    const joined = await join({ messageid: message.messageid })
    assert.equal(joined.status, 200, JSON.stringify(joined.body))
    assert.equal((joined.body.group as Json).Name, 'Garden')
    const info = await call('/group/info', { groupjid: group, force: true })
    assert.equal((info.body.Participants as Json[]).length, 3)
    // The account is a member already.
    const again = await join({ messageid: message.messageid })
    assert.ok([200, 400].includes(again.status), JSON.stringify(again.body))
  })

  it('that is no invitation, or of another person, is refused with the reason', async () => {
    const forBen = await refusedAdd(BEN)
    const message = await received(forBen)
    const foreign = await join({ messageid: message.messageid })
    assert.deepEqual([foreign.status, foreign.body.code], [400, 'INVALID_INVITE'], JSON.stringify(foreign.body))
    const { body } = await call('/send/text', { number: BOB, text: 'hello' })
    await eventually(() => bob.messages({ id: body.messageid }).then((found) => found.length === 1))
    for (const [fields, reason] of [
      [{ messageid: body.messageid }, /messageid.*with an invitation/],
      [{}, /inviteCode.*or messageid/],
      [{ messageid: 'x', inviteCode: 'AbCdEfGhIj' }, /not both/],
    ] as const) {
      const refused = await join(fields)
      assert.deepEqual(
        [refused.status, reason.test(JSON.stringify(refused.body))],
        [400, true],
        JSON.stringify(refused),
      )
    }
    assert.equal((await join({ messageid: '3EB000' })).status, 404)
    for (const [fields, reason] of [
      [{ number: BEN, code: 'abc' }, /expiration.*required with code/],
      [{ number: BEN, expiration: forBen.Expiration }, /code.*required/],
      [{ number: group, code: 'abc', expiration: forBen.Expiration }, /number.*person/],
      [{ number: BEN, code: 'a b', expiration: forBen.Expiration }, /code/],
    ] as const) {
      const refused = await call('/send/group-invite', { groupjid: group, ...fields })
      assert.deepEqual(
        [refused.status, reason.test(JSON.stringify(refused.body))],
        [400, true],
        JSON.stringify(refused),
      )
    }
  })
})
