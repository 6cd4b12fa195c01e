import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import sharp from 'sharp'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'

type Json = Record<string, unknown>
interface NetworkGroup {
  jid: string
  subject: string
  description: string
  announcement: boolean
  locked: boolean
  inviteCode: string
  /** Base64. */
  picture: string
  members: { number: string; role: string }[]
  requests: string[]
  approval: boolean
  memberAddMode: string
  ephemeralSeconds: number
  isParent: boolean
  parent: string
}
interface Group extends Json {
  JID: string
  Name: string
  Participants: { JID: string; LID: string; PhoneNumber: string; IsAdmin: boolean; IsSuperAdmin: boolean }[]
}

describe('groups', () => {
  const [ANA, BEN, EVE, KIM] = ['15550630001', '15550630002', '15550630003', '15550630004']
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve', [KIM]: 'Kim' },
    account: [ANA, 'Ana'],
    events: ['groups', 'chats', 'messages'],
  })
  afterEach(() => world.network('DELETE', '/faults'))

  const made = (fields: Json) =>
    world.network<NetworkGroup>('POST', '/groups', { owner: BEN, members: [ANA], ...fields })
  const atNetwork = async (jid: string) =>
    (await world.network<NetworkGroup[]>('GET', '/groups')).find((group) => group.jid === jid) as NetworkGroup
  const change = (jid: string, body: Json) => world.network('PATCH', `/groups/${jid}`, { by: BEN, ...body })
  const post = <T = Json>(path: string, body: Json) =>
    ana.call<T & { error: string; response: string; group: Group }>('POST', path, body)
  const done = (path: string, body: Json) => ana.done<Json & { response: string; group: Group }>(path, body)
  const list = async (query = ''): Promise<Group[]> => {
    const answer = await ana.call<{ groups: Group[] }>('GET', `/group/list${query}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.groups
  }
  const inList = (jid: string, isSo: (group: Group | undefined) => boolean) =>
    eventually(async () => (await list()).find(({ JID }) => JID === jid), isSo)
  const chat: typeof ana.chat = (jid, isSo) => ana.chat(jid, isSo)
  /** Requests of the account's device about groups. */
  const asked = async (type: 'get' | 'set') =>
    (
      await world.network<{ direction: string; xmlns: string; type: string; child: string }[]>(
        'GET',
        `/log/frames?device=${ANA}:1&tag=iq`,
      )
    ).filter((frame) => frame.direction === 'in' && frame.xmlns === 'w:g2' && frame.type === type)

  it('are listed with every field and their members, and follow what others change in them', async () => {
    const { jid } = await made({ subject: 'Trip', members: [ANA, EVE] })
    const { lid } = await world.network<{ lid: string }>('GET', `/phones/${EVE}`)
    const group = (await inList(jid, (one) => one !== undefined)) as Group
    assert.deepEqual(
      [group.Name, group.IsLocked, group.IsAnnounce, group.IsEphemeral, group.MemberAddMode, group.OwnerIsAdmin],
      ['Trip', false, false, false, 'admin_add', false],
    )
    assert.match(String(group.GroupCreated), /^20\d\d-.*Z$/)
    assert.equal(group.OwnerCanSendMessage, true)
    const eve = group.Participants.find(({ LID }) => LID === lid)
    assert.deepEqual([eve?.JID, eve?.PhoneNumber, eve?.IsAdmin], [lid, `${EVE}@s.whatsapp.net`, false])
    assert.deepEqual(
      group.Participants.filter(({ IsSuperAdmin }) => IsSuperAdmin).map(({ PhoneNumber }) => PhoneNumber),
      [`${BEN}@s.whatsapp.net`],
    )
    const questions = (await asked('get')).length
    await change(jid, { subject: 'Journey', description: 'to the sea', announce: true, locked: true })
    await change(jid, { ephemeralSeconds: 86_400, add: [KIM], promote: [EVE] })
    const changed = (await inList(
      jid,
      (one) => one?.DisappearingTimer === 86_400 && one.Participants.length === 4,
    )) as Group
    assert.deepEqual(
      [
        changed.Name,
        changed.Topic,
        changed.IsLocked,
        changed.IsAnnounce,
        changed.IsEphemeral,
        changed.OwnerCanSendMessage,
      ],
      ['Journey', 'to the sea', true, true, true, false],
    )
    assert.equal(changed.Participants.find(({ LID }) => LID === lid)?.IsAdmin, true)
    await change(jid, {
      remove: [KIM],
      demote: [EVE],
      announce: false,
      locked: false,
      ephemeralSeconds: 0,
      description: '',
    })
    await inList(jid, (one) => one?.Participants.length === 3 && one.Topic === '' && one.IsEphemeral === false)
    assert.equal((await asked('get')).length, questions, 'notifications are enough')
    const told = await eventually(
      () => receiver.of('groups').filter(({ body }) => (body.event as Json).JID === jid),
      (events) => events.some(({ body }) => ((body.event as Json).Leave as string[]).length === 1),
    )
    assert.deepEqual(told.flatMap(({ body }) => (body.event as { Changes: string[] }).Changes).slice(0, 5), [
      'create',
      'subject',
      'description',
      'announcement',
      'locked',
    ])
    assert.equal(((told[1]?.body.group ?? {}) as Json).Name, 'Journey')
    assert.deepEqual((await list('?noparticipants=true')).find(({ JID }) => JID === jid)?.Participants, [])
    await change(jid, { remove: [ANA] })
    await inList(jid, (one) => one === undefined)
    assert.equal((await post('/group/info', { groupjid: jid })).status, 404)
  })

  it('have their name from the first message on, also when they were unknown', async () => {
    const { jid } = await made({ subject: 'Joined later', members: [EVE] })
    await change(jid, { add: [ANA] })
    await world.network('POST', `/phones/${BEN}/text`, { to: jid, text: 'welcome' })
    const event = await eventually(() =>
      receiver.of('messages').find(({ body }) => (body.message as Json).chatid === jid),
    )
    const [message, shown] = [event?.body.message as Json, event?.body.chat as Json]
    assert.deepEqual([message.groupName, shown.name, message.text], ['Joined later', 'Joined later', 'welcome'])
  })

  it('take messages that mention everyone, without a query for their members each time', async () => {
    const { jid } = await made({ subject: 'Talk', members: [ANA, EVE] })
    await inList(jid, (one) => one !== undefined)
    const questions = (await asked('get')).length
    for (const text of ['one', 'two']) await ana.text(jid, text)
    await ana.text(jid, 'all of you', { mentions: 'all' })
    await change(jid, { add: [KIM] })
    await inList(jid, (one) => one?.Participants.length === 4)
    await ana.text(jid, 'and Kim', { mentions: 'all' })
    for (const [number, texts] of [
      [EVE, ['one', 'two', 'all of you', 'and Kim']],
      [KIM, ['and Kim']],
    ] as const) {
      const seen = await eventually(
        () => world.network<{ text: string; message: Json }[]>('GET', `/phones/${number}/messages?chat=${jid}`),
        (messages) => messages.some(({ text }) => text === 'and Kim'),
      )
      assert.deepEqual(
        seen.map(({ text }) => text),
        texts,
      )
      const told = seen.at(-1)?.message.extendedTextMessage as { contextInfo: { mentionedJid: string[] } } | undefined
      const { lid } = await world.network<{ lid: string }>('GET', `/phones/${KIM}`)
      assert.ok(told?.contextInfo.mentionedJid.includes(lid), JSON.stringify(told))
      assert.equal(told?.contextInfo.mentionedJid.length, 3)
    }
    assert.equal((await asked('get')).length, questions)
  })

  it('are joined by an invite code or its URL, which can be inspected first', async () => {
    const { jid, inviteCode } = await made({ subject: 'Open', members: [EVE] })
    const changes = (await asked('set')).length
    for (const code of [
      'short',
      'x'.repeat(51),
      'not a code at all',
      'https://example.org/0123456789',
      'A'.repeat(22),
    ]) {
      const { status, body } = await post('/group/join', { inviteCode: code })
      assert.deepEqual([status, body.error], [400, 'Invalid invite code'], code)
    }
    assert.equal((await asked('set')).length, changes, 'nothing was joined')
    const look = await post<Group>('/group/inviteInfo', { invitecode: inviteCode })
    assert.deepEqual([look.body.JID, look.body.Name], [jid, 'Open'])
    await world.network('POST', '/faults', { kind: 'join-refused', phone: ANA })
    const refused = await post<{ provider_code: number }>('/group/join', { inviteCode })
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.provider_code],
      [500, 'Unable to join group', 419],
    )
    await world.network('POST', '/faults', { kind: 'invitation-refused', phone: ANA, code: 429 })
    const unseen = await post<{ provider_code: number }>('/group/join', { inviteCode })
    assert.deepEqual(
      [unseen.status, unseen.body.error, unseen.body.provider_code],
      [500, 'Error processing group invite', 429],
    )
    await world.network('DELETE', '/faults')
    const joined = await done('/group/join', { inviteCode: `https://chat.whatsapp.com/${inviteCode}` })
    assert.equal(joined.response, 'Group join successful')
    assert.deepEqual([joined.group.JID, joined.group.Participants.length], [jid, 3])
    assert.ok((await atNetwork(jid)).members.some(({ number }) => number === ANA))
    await chat(jid, (one) => one.name === 'Open' && one.wa_isGroup_member === true)
    // Once more is not an error.
    assert.equal((await done('/group/join', { inviteCode })).group.JID, jid)
    await ana.text(jid, 'hello all')
    await eventually(
      () => world.network<unknown[]>('GET', `/phones/${EVE}/messages?chat=${jid}`),
      (messages) => messages.length === 1,
    )
    const guarded = await made({ subject: 'Guarded', members: [EVE] })
    await change(guarded.jid, { approval: true })
    const pending = await done('/group/join', { inviteCode: guarded.inviteCode })
    assert.equal(pending.needs_refresh, true)
    assert.deepEqual((await atNetwork(guarded.jid)).requests, [ANA])
  })

  it('are opened and closed for writing by admins only, and other accounts send no request', async () => {
    const { jid } = await made({ subject: 'Rules' })
    await inList(jid, (one) => one !== undefined)
    const changes = (await asked('set')).length
    for (const [path, body] of [
      ['/group/updateAnnounce', { announce: true }],
      ['/group/updateLocked', { locked: true }],
      ['/group/updateParticipants', { action: 'add', participants: [KIM] }],
      ['/group/resetInviteCode', {}],
    ] as const) {
      const { status, body: answer } = await post<Json>(path, { groupjid: jid, ...body })
      assert.deepEqual(
        [status, answer.code, answer.error],
        [403, 'NOT_GROUP_ADMIN', 'Only admins of the group may do this.'],
        path,
      )
    }
    assert.equal((await asked('set')).length, changes)
    await change(jid, { promote: [ANA] })
    await inList(jid, (one) => one?.OwnerIsAdmin === true)
    const closed = await done('/group/updateAnnounce', { groupjid: jid, announce: true })
    assert.deepEqual([closed.group.IsAnnounce, 'MemberAddMode' in closed.group], [true, false])
    assert.equal((await atNetwork(jid)).announcement, true)
    await chat(jid, (one) => one.wa_isGroup_announce === true && one.wa_isGroup_admin === true)
    assert.equal((await done('/group/updateAnnounce', { groupjid: jid, announce: false })).group.IsAnnounce, false)
    assert.equal((await atNetwork(jid)).announcement, false)
  })

  it('are created, described, locked, filled and left', async () => {
    const group = (await done('/group/create', { name: 'Work', participants: [BEN, `+${EVE}`] })) as unknown as Group
    const jid = group.JID
    assert.deepEqual([group.Name, group.Participants.length, group.OwnerIsAdmin], ['Work', 3, true])
    await chat(jid, (one) => one.name === 'Work')
    await done('/group/updateName', { groupjid: jid, name: 'Office' })
    await done('/group/updateDescription', { groupjid: jid, description: 'nine to five' })
    // Each names the one before it, and both think that it is the first.
    await Promise.all(
      ['eight to three', 'seven to two'].map((description) =>
        done('/group/updateDescription', { groupjid: jid, description }),
      ),
    )
    await done('/group/updateDescription', { groupjid: jid, description: 'ten to four' })
    assert.equal((await done('/group/updateLocked', { groupjid: jid, locked: true })).group.IsLocked, true)
    const there = await atNetwork(jid)
    assert.deepEqual([there.subject, there.description, there.locked], ['Office', 'ten to four', true])
    const red = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer()
    await done('/group/updateImage', { groupjid: jid, image: `data:image/png;base64,${red.toString('base64')}` })
    const shown = await sharp(Buffer.from((await atNetwork(jid)).picture, 'base64')).metadata()
    assert.deepEqual([shown.format, shown.width, shown.height], ['jpeg', 640, 640])
    const none = await post('/group/updateImage', { groupjid: jid, image: Buffer.alloc(100).toString('base64') })
    assert.deepEqual(
      [none.status, none.body.error.slice(0, 35)],
      [400, 'Invalid request: image must be a JPEG'.slice(0, 35)],
    )
    await done('/group/updateImage', { groupjid: jid, image: 'remove' })
    assert.equal((await atNetwork(jid)).picture, '')
    const act = async (action: string, participants: string[]) =>
      (await done('/group/updateParticipants', { groupjid: jid, action, participants })).groupUpdated as {
        Error: number
      }[]
    assert.deepEqual(
      (await act('add', [KIM, BEN, '15550639999'])).map((person) => person.Error),
      [0, 409, 404],
    )
    assert.deepEqual(
      (await act('promote', [KIM])).map((person) => person.Error),
      [0],
    )
    await act('remove', [BEN])
    assert.deepEqual(
      (await atNetwork(jid)).members.map(({ number, role }) => [number, role]).toSorted(),
      [
        [ANA, 'superadmin'],
        [EVE, 'member'],
        [KIM, 'admin'],
      ].toSorted(),
    )
    const { inviteCode } = await atNetwork(jid)
    const info = await done('/group/info', { groupjid: jid, getInviteLink: true })
    assert.deepEqual([info.invite_link, info.Topic], [`https://chat.whatsapp.com/${inviteCode}`, 'ten to four'])
    const { InviteLink } = await done('/group/resetInviteCode', { groupjid: jid })
    assert.notEqual(InviteLink, info.invite_link)
    assert.equal(InviteLink, `https://chat.whatsapp.com/${(await atNetwork(jid)).inviteCode}`)
    await done('/group/leave', { groupjid: jid })
    assert.ok(!(await atNetwork(jid)).members.some(({ number }) => number === ANA))
    await inList(jid, (one) => one === undefined)
    await chat(jid, (one) => one.wa_isGroup_member === false)
    assert.equal((await post('/group/leave', { groupjid: jid })).status, 404)
  })

  it('without the account as a member take no messages, and the answer gives the reason', async () => {
    const { jid } = await made({ subject: 'Others', members: [EVE] })
    for (const [path, body] of [
      ['/send/text', { text: 'to whom?' }],
      ['/send/text', { text: 'to all?', mentions: 'all' }],
      ['/send/location', { latitude: 1, longitude: 2 }],
    ] as const) {
      const { status, body: answer } = await post<Json>(path, { number: jid, ...body })
      assert.deepEqual([status, answer.code], [404, 'GROUP_NOT_FOUND'], JSON.stringify(answer))
    }
    const queued = await ana.text(jid, 'later?', { async: true })
    const find = (fields: Json) => ana.call<{ messages: Json[] }>('POST', '/message/find', fields)
    await eventually(
      () => find({ id: queued.messageid }),
      ({ body }) => body.messages[0]?.status === 'failed',
    )
    assert.equal((await find({ chatid: jid })).body.messages.length, 1, 'what was refused at once is not kept')
  })

  it('require the approval of admins to join, who approve and reject', async () => {
    const group = (await done('/group/create', { name: 'Guarded', participants: [BEN] })) as unknown as Group
    const groupjid = group.JID
    const set = await done('/group/updateJoinApproval', { groupjid, IsJoinApprovalRequired: true })
    assert.equal(set.group.IsJoinApprovalRequired, true)
    assert.equal((await atNetwork(groupjid)).approval, true)
    await change(groupjid, { ask: [EVE, KIM] })
    const event = await eventually(() =>
      receiver
        .of('groups')
        .find(
          ({ body }) =>
            JSON.stringify(body).includes('created_membership_requests') && JSON.stringify(body).includes(groupjid),
        ),
    )
    assert.ok(event)
    const lids = await Promise.all(
      [EVE, KIM].map(async (number) => (await world.network<{ lid: string }>('GET', `/phones/${number}`)).lid),
    )
    const info = await done('/group/info', { groupjid, getRequestsParticipants: true })
    assert.deepEqual(String(info.request_participants).split(','), lids)
    assert.equal((await done('/group/info', { groupjid })).request_participants, '')
    const act = async (action: string, participants: string[]) => {
      const answer = await done('/group/updateParticipants', { groupjid, action, participants })
      return (answer.groupUpdated as { Error: number }[]).map((person) => person.Error)
    }
    assert.deepEqual(await act('approve', [EVE, BEN]), [0, 404])
    assert.deepEqual(await act('reject', [KIM]), [0])
    const there = await atNetwork(groupjid)
    assert.deepEqual([there.members.some(({ number }) => number === EVE), there.requests], [true, []])
    const link = await ana.call<Json>('GET', `/group/invitelink/${groupjid}`)
    assert.equal(link.body.inviteLink, `https://chat.whatsapp.com/${there.inviteCode}`)
    const others = await made({ subject: 'Of others' })
    assert.equal((await ana.call<Json>('GET', `/group/invitelink/${others.jid}`)).status, 403)
    const questions = (await asked('set')).length
    const hidden = await done('/group/info', {
      groupjid: others.jid,
      getRequestsParticipants: true,
      getInviteLink: true,
    })
    assert.deepEqual([hidden.request_participants, hidden.invite_link], ['', ''])
    for (const [path, body] of [
      ['/group/updateJoinApproval', { IsJoinApprovalRequired: true }],
      ['/group/updateMemberAddMode', { MemberAddMode: 'all_member_add' }],
      ['/group/updateParticipants', { action: 'approve', participants: [EVE] }],
    ] as const)
      assert.equal((await post(path, { groupjid: others.jid, ...body })).status, 403, path)
    assert.equal((await asked('set')).length, questions, 'nothing was asked of the network')
  })

  it('restrict the adding of members, and let messages disappear', async () => {
    const { jid } = await made({ subject: 'Open house', members: [ANA, EVE] })
    assert.equal(
      (await post('/group/updateParticipants', { groupjid: jid, action: 'add', participants: [KIM] })).status,
      403,
    )
    await change(jid, { promote: [ANA] })
    await inList(jid, (one) => one?.OwnerIsAdmin === true)
    const set = await done('/group/updateMemberAddMode', { groupjid: jid, MemberAddMode: 'all_member_add' })
    assert.equal(set.group.MemberAddMode, 'all_member_add')
    await change(jid, { demote: [ANA] })
    await inList(jid, (one) => one?.OwnerIsAdmin === false)
    await done('/group/updateParticipants', { groupjid: jid, action: 'add', participants: [KIM] })
    const { chat: of, ephemeral } = await done('/group/ephemeral', { groupjid: jid, duration: '7d' })
    assert.deepEqual([of, ephemeral], [jid, { enabled: true, seconds: 604_800, label: '7d' }])
    const there = await atNetwork(jid)
    assert.deepEqual([there.memberAddMode, there.ephemeralSeconds], ['all_member_add', 604_800])
    await chat(jid, (one) => one.wa_ephemeralExpiration === 604_800)
    await done('/group/ephemeral', { groupjid: jid, duration: 0 })
    assert.equal((await atNetwork(jid)).ephemeralSeconds, 0)
    await change(jid, { locked: true })
    await inList(jid, (one) => one?.IsLocked === true)
    assert.equal((await post('/group/ephemeral', { groupjid: jid, duration: '1d' })).status, 403)
  })

  it('are added to communities and removed again', async () => {
    const village = (await done('/community/create', { name: 'Village' })).group as Group
    const community = village.JID
    assert.deepEqual([village.Name, village.IsParent, village.IsJoinApprovalRequired], ['Village', true, true])
    assert.equal((await atNetwork(community)).isParent, true)
    await chat(community, (one) => one.wa_isGroup_community === true)
    const announcements = (await list()).find(({ LinkedParentJID }) => LinkedParentJID === community)
    assert.deepEqual([announcements?.IsDefaultSubGroup, announcements?.IsAnnounce], [true, true])
    const choir = (await done('/group/create', { name: 'Choir', participants: [BEN] })) as unknown as Group
    const foreign = await made({ subject: 'Foreign' })
    const edit = (action: string, groupjids: string[]) =>
      done('/community/editgroups', { community, action, groupjids })
    const nowhere = '120363000000000009@g.us'
    const added = await edit('add', [choir.JID, foreign.jid, nowhere])
    assert.equal(added.message, '1 of 3 groups added')
    assert.deepEqual(added.success, [choir.JID])
    assert.deepEqual(added.failed, [
      { JID: foreign.jid, Error: 'NOT_GROUP_ADMIN' },
      { JID: nowhere, Error: 'GROUP_NOT_FOUND' },
    ])
    assert.equal((await atNetwork(choir.JID)).parent, community)
    await inList(choir.JID, (one) => one?.LinkedParentJID === community)
    assert.equal(((await edit('add', [choir.JID])).failed as Json[])[0]?.Error, 'GROUP_REFUSED')
    assert.deepEqual((await edit('remove', [choir.JID])).success, [choir.JID])
    assert.equal((await atNetwork(choir.JID)).parent, '')
    const no = await post('/community/editgroups', { community: choir.JID, action: 'add', groupjids: [foreign.jid] })
    assert.deepEqual([no.status, no.body.error], [404, 'There is no such community.'])
    const bad = await post('/community/editgroups', { community, action: 'add', groupjids: [BEN] })
    assert.deepEqual([bad.status, bad.body.error.startsWith('Invalid groupjids')], [400, true])
  })

  it('are shown in the chats of members who share them, and listed page by page', async () => {
    const eve = (isSo: (groups: string) => boolean) =>
      eventually(
        async () =>
          (await ana.call<{ chats: Json[] }>('POST', '/chat/find', { wa_chatid: EVE })).body.chats[0]?.wa_common_groups,
        (groups) => typeof groups === 'string' && isSo(groups),
      )
    const { jid } = await made({ subject: 'Zoo one', members: [ANA, EVE] })
    const other = await made({ subject: 'Zoo two', members: [ANA, KIM] })
    await inList(other.jid, (one) => one !== undefined)
    // The chat begins after the group.
    await world.network('POST', `/phones/${EVE}/text`, { to: ANA, text: 'hello' })
    await eve((groups) => groups.split(',').includes(`Zoo one(${jid})`) && !groups.includes('Zoo two'))
    await change(other.jid, { add: [EVE] })
    await eve((groups) => groups.includes(`Zoo two(${other.jid})`))
    await change(jid, { subject: 'Zoo three' })
    await eve((groups) => groups.includes(`Zoo three(${jid})`) && !groups.includes('Zoo one'))
    await change(other.jid, { remove: [EVE] })
    await eve((groups) => !groups.includes('Zoo two'))
    const found = await ana.call<{ chats: Json[] }>('POST', '/chat/find', { wa_common_groups: 'zoo three' })
    assert.deepEqual(
      found.body.chats.map(({ wa_chatid }) => wa_chatid),
      [`${EVE}@s.whatsapp.net`],
    )
    const page = (body: Json) =>
      ana.call<{ groups: Group[]; pagination: Json }>('POST', '/group/list', { search: 'ZOO', ...body })
    const first = (await page({ limit: 1 })).body
    assert.deepEqual(
      [first.groups.map(({ Name }) => Name), first.pagination.totalRecords, first.pagination.hasNextPage],
      [['Zoo three'], 2, true],
    )
    const second = (await page({ page: 2, pageSize: 1, noParticipants: true })).body
    assert.deepEqual(
      second.groups.map(({ Name, Participants }) => [Name, Participants]),
      [['Zoo two', []]],
    )
    await done('/group/leave', { groupjid: jid })
    await eve((groups) => !groups.includes('Zoo'))
  })

  it('with a wrong id are refused with the field', async () => {
    for (const [path, body, status, error] of [
      ['/group/updateAnnounce', { groupjid: BEN, announce: true }, 400, /^Invalid groupjid/],
      ['/group/updateAnnounce', { groupjid: '120363000000000009@g.us', announce: true }, 404, /no such group/],
      ['/group/updateAnnounce', { groupjid: '120363000000000009@g.us' }, 400, /announce/],
      ['/group/create', { name: 'x', participants: ['15550639999'] }, 404, /15550639999/],
      ['/group/create', { name: 'x', participants: [] }, 400, /participants/],
      ['/group/create', { name: 'x', participants: [BEN, 'Eve'] }, 400, /^Invalid participants\[1\]: /],
      ['/group/join', {}, 400, /inviteCode/],
      ['/group/ephemeral', { groupjid: '120363000000000009@g.us', duration: '2d' }, 400, /duration/],
      [
        '/group/updateMemberAddMode',
        { groupjid: '120363000000000009@g.us', MemberAddMode: 'nobody' },
        400,
        /MemberAdd/,
      ],
      ['/group/updateJoinApproval', { groupjid: BEN, IsJoinApprovalRequired: true }, 400, /^Invalid groupjid/],
      ['/group/list', { pageSize: 0 }, 400, /pageSize/],
    ] as const) {
      const answer = await post(path, body)
      assert.equal(answer.status, status, JSON.stringify([path, answer.body]))
      assert.match(answer.body.error, error)
    }
    const unpaired = await world.instance('unpaired')
    for (const [method, path, body] of [
      ['GET', '/group/list', undefined],
      ['POST', '/group/join', { inviteCode: 'A'.repeat(22) }],
    ] as const) {
      const { status, body: answer } = await unpaired.call<{ error: string }>(method, path, body)
      assert.deepEqual([status, answer.error], [409, 'No session'])
    }
  })
})
