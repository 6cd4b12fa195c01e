/** Journeys through a working day in the inbox: a real browser, a real gateway process, and phones of the sandbox. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { findingsInBothThemes } from '../support/axe.js'
import { type Session, startBrowser, type TestBrowser, withoutBrowser } from '../support/browser.js'
import { type Cleanup, suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { hasFocus } from '../support/keyboard.js'
import { sidewaysBy } from '../support/page-fit.js'
import { startWorld, type TestInstance, type World } from '../support/world.js'

const SHOP = '5511999990001'
const ANA = '5511999990002'
const BEN = '5511999990003'
const DIEGO = '5511999990004'

interface Drawn {
  readonly id: string
  readonly text: string
  readonly mentions: readonly { readonly number: string }[]
  readonly media: readonly { readonly kind: string; readonly caption: string; readonly ptt: boolean }[]
  readonly quotedId: string | null
  readonly poll: { readonly options: readonly { readonly text: string; readonly voters: readonly string[] }[] } | null
}

describe('the inbox', { skip: withoutBrowser }, () => {
  const cleanup = suiteCleanup()
  let world: World
  let browser: TestBrowser
  let shop: TestInstance
  let photo: Buffer
  before(async () => {
    ;[world, browser] = await Promise.all([startWorld(cleanup), startBrowser(cleanup)])
    await world.phone(ANA, 'Ana Souza')
    await world.phone(BEN, 'Ben')
    await world.phone(DIEGO, 'Diego Ramos')
    shop = await world.paired(SHOP, 'Shop')
    photo = await sharp({ create: { width: 640, height: 420, channels: 3, background: '#7fb3a2' } })
      .jpeg()
      .toBuffer()
  })

  it('has the message box in sight on every desk, and nothing scrolls but the lists', async (t) => {
    for (const text of ['Good morning!', 'Do you deliver on Saturdays?']) await world.write(ANA, SHOP, text)
    await world.write(BEN, SHOP, 'Is the *blue* one still there?')
    await shop.chat(BEN)
    const { page } = await opened(t, ANA)
    for (const [width, height] of [
      [1440, 900],
      [1366, 768],
      [1280, 720],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height })
      const box = page.getByLabel('Write a message')
      await box.waitFor()
      await eventually(
        async () => {
          const place = await box.boundingBox()
          return place === null ? Number.POSITIVE_INFINITY : place.y + place.height
        },
        (bottom) => bottom <= height,
        30_000,
      )
      const scrolls = await page.evaluate('document.documentElement.scrollHeight - innerHeight')
      assert.ok(Number(scrolls) <= 1, `the page of ${width}x${height} scrolls by ${scrolls} px`)
      assert.equal(await sidewaysBy(page), '')
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await shots(page, `phone-chat-${colorScheme}`)
    }
    assert.deepEqual(await findingsInBothThemes(page, 'a chat on a phone'), [])
    await page.getByRole('button', { name: 'Back to the chats' }).click()
    await page.getByRole('option', { name: /Ana Souza/ }).waitFor()
    assert.deepEqual(await findingsInBothThemes(page, 'the chats on a phone'), [])
    await shots(page, 'phone-list')
  })

  it('marks a chat as read when it is opened and when it is answered, unless the person does not want it', async (t) => {
    await world.write(BEN, SHOP, 'Hello?')
    await shop.chat(BEN, ({ wa_unreadCount: count }) => Number(count) > 0)
    const { page } = await opened(t, ANA)
    const ben = page.getByRole('option', { name: /^Ben/ })
    await ben.getByText(/\d+ unread/).waitFor({ state: 'attached' })
    await ben.click()
    await shop.chat(BEN, ({ wa_unreadCount: count }) => count === 0)
    await ben.getByText(/\d+ unread/).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Settings of the inbox' }).click()
    await page.getByLabel('Mark a chat as read when I open it').uncheck()
    await page.keyboard.press('Escape')
    await world.write(BEN, SHOP, 'Are you there?')
    await shop.chat(BEN, ({ wa_unreadCount: count }) => count === 1)
    await page.getByRole('log').getByText('Are you there?').waitFor()
    await page.getByLabel('Write a message').fill('Yes, I am')
    await page.keyboard.press('Enter')
    await shop.chat(BEN, ({ wa_unreadCount: count }) => count === 0)
  })

  it('shows what one sends although one reads far above, and keeps the focus where one writes', async (t) => {
    await world.network('POST', `/phones/${DIEGO}/text`, { to: SHOP, text: 'A line of a long talk', count: 80 })
    await shop.chat(DIEGO, ({ wa_lastMessageTextVote: text }) => String(text).endsWith('80'))
    const { page } = await opened(t, DIEGO)
    const log = page.getByRole('log')
    const box = page.getByLabel('Write a message')
    await log.getByText('A line of a long talk 80').waitFor()
    await hasFocus(box, 'a chat was opened')
    await log.hover()
    const last = log.getByText('A line of a long talk 80')
    for (let turn = 0; turn < 100 && (await last.count()) > 0; turn += 1) await page.mouse.wheel(0, -400)
    await last.waitFor({ state: 'detached' })
    await box.fill('Seen at once')
    await page.keyboard.press('Enter')
    await log.getByText('Seen at once').waitFor()
    await eventually(
      async () => (await log.getByText('Seen at once').boundingBox())?.y ?? -1,
      (y) => y > 0,
      30_000,
    )

    await log.getByRole('button', { name: 'Actions for the message of Diego Ramos' }).last().click()
    await page.getByRole('menuitem', { name: 'Reply' }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await hasFocus(box, 'Reply')
    await page.keyboard.type('An answer')
    await eventually(async () => (await box.inputValue()) === 'An answer')
    await page.keyboard.press('Enter')
    const answers = await eventually(
      () => world.network<Drawn[]>('GET', `/phones/${DIEGO}/messages?text=${encodeURIComponent('An answer')}`),
      (found) => found.length === 1,
    )
    assert.ok(answers[0]?.quotedId)

    await page.getByRole('button', { name: 'Search in this chat' }).click()
    await hasFocus(page.getByRole('searchbox', { name: 'Search in this chat' }), 'the search was opened')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Page, instance or action' }).fill('Ben')
    await page.getByRole('option', { name: /^Ben/ }).last().click()
    await page.getByRole('heading', { name: 'Ben', level: 1 }).waitFor()
    await hasFocus(box, 'a chat was chosen by the palette')
  })

  it('puts a quick reply into the box by its shortcut, and a file of one beside it', async (t) => {
    await shop.done('/quickreply/edit', { shortCut: 'pix', type: 'text', text: 'Our Pix key is shop@example.com' })
    await shop.done('/quickreply/edit', {
      shortCut: '/photo',
      type: 'image',
      text: 'This is the blue one',
      file: photo.toString('base64'),
    })
    const { page } = await opened(t, ANA)
    const box = page.getByLabel('Write a message')
    await box.pressSequentially('/pi')
    await page.getByRole('option', { name: /^\/pix/ }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(
      () => box.inputValue(),
      (text) => text === 'Our Pix key is shop@example.com',
      30_000,
    )
    await page.keyboard.press('Enter')
    await atPhone(ANA, ({ text }) => text === 'Our Pix key is shop@example.com')
    assert.equal((await world.network<Drawn[]>('GET', `/phones/${ANA}/messages?text=%2Fpi`)).length, 0)
    await box.pressSequentially('/pho')
    await page.getByRole('option', { name: /^\/photo/ }).click()
    await page.getByRole('button', { name: /^Remove / }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await atPhone(ANA, ({ media }) => media.some(({ caption }) => caption === 'This is the blue one'))
  })

  it('sends files that are chosen, dropped and pasted, with a caption each', async (t) => {
    const { page } = await opened(t, ANA)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await chooser).setFiles([
      { name: 'one.jpg', mimeType: 'image/jpeg', buffer: photo },
      { name: 'prices.txt', mimeType: 'text/plain', buffer: Buffer.from('Bread 2\n') },
    ])
    const tray = page.getByRole('region', { name: 'Files to send' })
    await hasFocus(tray.getByLabel('Caption'), 'files were chosen')
    await page.keyboard.type('The first')
    await tray.getByRole('button', { name: /^File 2 of 2/ }).click()
    await page.keyboard.type('The second')
    await shots(page, 'tray')
    assert.deepEqual(await findingsInBothThemes(page, 'files to send'), [])
    await page.keyboard.press('Enter')
    await tray.waitFor({ state: 'detached' })
    await hasFocus(page.getByLabel('Write a message'), 'the files were sent')
    await atPhone(ANA, ({ media }) => media.some(({ kind, caption }) => kind === 'image' && caption === 'The first'))
    await atPhone(ANA, ({ media }) =>
      media.some(({ kind, caption }) => kind === 'document' && caption === 'The second'),
    )
    for (const [how, name] of [
      ['paste', 'pasted.jpg'],
      ['drop', 'dropped.jpg'],
    ] as const) {
      await page.evaluate(
        ([bytes, kind, file]) => {
          const page = globalThis as unknown as {
            document: { querySelector(s: string): { dispatchEvent(event: unknown): void } }
            DataTransfer: new () => { items: { add(file: unknown): void } }
            File: new (parts: unknown[], name: string, options: object) => unknown
            ClipboardEvent: new (name: string, options: object) => unknown
            DragEvent: new (name: string, options: object) => unknown
          }
          const data = new page.DataTransfer()
          const content = Uint8Array.from(atob(bytes as string), (letter) => letter.charCodeAt(0))
          data.items.add(new page.File([content], file as string, { type: 'image/jpeg' }))
          const target = page.document.querySelector('[data-composer] textarea')
          const options = { bubbles: true, cancelable: true }
          target.dispatchEvent(
            kind === 'paste'
              ? new page.ClipboardEvent('paste', { ...options, clipboardData: data })
              : new page.DragEvent('drop', { ...options, dataTransfer: data }),
          )
        },
        [photo.toString('base64'), how, name],
      )
      await tray.getByLabel('Caption').fill(`By ${how}`)
      await page.keyboard.press('Enter')
      await atPhone(ANA, ({ media }) => media.some(({ caption }) => caption === `By ${how}`))
    }
  })

  it('draws albums, voice messages, links, polls, buttons and reactions as phones draw them, and opens pictures', async (t) => {
    const media = (kind: string, more: object) =>
      world.network<{ id: string }>('POST', `/phones/${ANA}/media`, { to: SHOP, kind, ...more })
    const colours = ['#c96f4a', '#4a7ec9', '#57a05a']
    for (const background of colours)
      await media('image', {
        base64: (
          await sharp({ create: { width: 500, height: 400, channels: 3, background } })
            .jpeg()
            .toBuffer()
        ).toString('base64'),
        mimetype: 'image/jpeg',
      })
    await world.network('POST', `/phones/${ANA}/message`, {
      to: SHOP,
      message: {
        extendedTextMessage: {
          text: 'This one: https://shop.example/blue',
          matchedText: 'https://shop.example/blue',
          title: 'The blue one',
          description: 'Ships in two days.',
        },
      },
    })
    await world.network('POST', `/phones/${ANA}/message`, {
      to: SHOP,
      message: {
        buttonsMessage: {
          contentText: 'Shall we?',
          footerText: 'Answer when you like',
          headerType: 1,
          buttons: [
            { buttonId: 'yes', buttonText: { displayText: 'Yes, please' }, type: 1 },
            { buttonId: 'no', buttonText: { displayText: 'Not today' }, type: 1 },
          ],
        },
      },
    })
    await world.network('POST', `/phones/${ANA}/poll`, {
      to: SHOP,
      question: 'Which day?',
      options: ['Friday', 'Saturday'],
    })
    await media('audio', { sizeBytes: 4_000, mimetype: 'audio/ogg; codecs=opus', ptt: true })
    const said = await world.write(ANA, SHOP, 'See you on Saturday')
    await world.network('POST', `/phones/${ANA}/react`, { id: said, text: '🎉' })
    await shop.chat(ANA, ({ wa_lastMessageTextVote: text }) => text !== 'See you on Saturday')
    const { page } = await opened(t, ANA)
    const log = page.getByRole('log')
    await log.getByText('See you on Saturday').waitFor()
    const album = log.getByRole('group', { name: 'Album of 3' })
    await album.scrollIntoViewIfNeeded()
    await album.getByRole('button', { name: 'Open: Picture' }).nth(2).waitFor()
    await shots(page, 'inbox-album')
    const link = log.getByRole('link', { name: /The blue one/ })
    assert.equal(await link.getAttribute('href'), 'https://shop.example/blue')
    await log.getByText('Yes, please').waitFor()
    await log.getByText('Answer when you like').waitFor()
    await log.getByRole('button', { name: 'Play: Voice message' }).waitFor()
    await log.getByLabel('Saturday').check()
    const poll = await eventually(
      () => world.network<Drawn[]>('GET', `/phones/${ANA}/sent`),
      () => true,
    )
    assert.ok(poll.length > 0)
    await page.getByRole('log').getByText('Your vote was sent.').waitFor()

    await album.getByRole('button', { name: 'Open: Picture' }).first().click()
    const viewer = page.getByRole('dialog')
    const picture = viewer.getByRole('img', { name: 'Picture' })
    await picture.waitFor()
    const first = await picture.getAttribute('src')
    await page.keyboard.press('ArrowRight')
    await eventually(
      () => picture.getAttribute('src').catch(() => first),
      (now) => now !== first,
      30_000,
    )
    assert.deepEqual(await findingsInBothThemes(page, 'viewer'), [])
    await shots(page, 'viewer')
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await log.focus()
      await page.keyboard.press('End')
      await shots(page, `inbox-${scheme}`)
    }
    assert.deepEqual(await findingsInBothThemes(page, 'inbox'), [])
  })

  it('mentions people of a group by name, and shows names where others mention', async (t) => {
    const { jid } = await world.network<{ jid: string }>('POST', '/groups', {
      owner: ANA,
      subject: 'Deliveries',
      members: [SHOP, BEN],
    })
    for (const [who, text] of [
      [ANA, 'Good morning, all'],
      [BEN, 'Morning!'],
    ] as const)
      await world.network('POST', `/phones/${who}/text`, { to: jid, text })
    await shop.chat(jid, ({ wa_lastMessageTextVote: text }) => text === 'Morning!')
    const { page } = await opened(t, jid)
    const log = page.getByRole('log')
    await log.getByText('Morning!').waitFor()
    const box = page.getByLabel('Write a message')
    await box.pressSequentially('Thanks @Be')
    await page.getByRole('listbox', { name: 'People' }).getByRole('option', { name: /^Ben/ }).waitFor()
    await page.keyboard.press('Enter')
    await eventually(
      () => box.inputValue(),
      (text) => text === 'Thanks @Ben ',
      30_000,
    )
    await page.keyboard.type('see you')
    await page.keyboard.press('Enter')
    const arrived = await atPhone(BEN, ({ text }) => text.endsWith('see you'))
    assert.deepEqual(
      arrived.mentions.map(({ number }) => number),
      [BEN],
    )
    await log.getByText('Thanks @Ben see you').waitFor()
    await shots(page, 'group')
  })

  it('selects several messages by the keyboard, and forwards them to several chats', async (t) => {
    await world.write(DIEGO, SHOP, 'First to pass on')
    await world.write(DIEGO, SHOP, 'Second to pass on')
    const { page } = await opened(t, DIEGO)
    const log = page.getByRole('log')
    await log.getByText('Second to pass on').waitFor()
    await log.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('x')
    const bar = page.getByRole('toolbar', { name: 'Select' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'Forward' }).click()
    const dialog = page.getByRole('dialog', { name: 'Forward 2 messages' })
    await dialog.getByRole('checkbox', { name: 'Ana Souza' }).check()
    await dialog.getByRole('checkbox', { name: 'Ben', exact: true }).check()
    await shots(page, 'forward')
    await dialog.getByRole('button', { name: 'Forward' }).click()
    await dialog.getByText('Forwarded to 2 chats.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    for (const person of [ANA, BEN]) {
      await atPhone(person, ({ text }) => text === 'First to pass on')
      await atPhone(person, ({ text }) => text === 'Second to pass on')
    }
    await bar.waitFor({ state: 'detached' })

    await log.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('x')
    await bar.getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'detached' })
    await page.getByLabel('Write a message').waitFor()
  })

  it('searches all chats for a text, and opens the message', async (t) => {
    const { page } = await opened(t, BEN)
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('deliver on Saturdays')
    const found = page.getByRole('region', { name: 'Messages', exact: true }).filter({ hasText: '1 message found' })
    await found.getByRole('button', { name: /Saturdays/ }).click()
    await page.getByRole('heading', { name: 'Ana Souza', level: 1 }).waitFor()
    await page.getByRole('log').getByText('Do you deliver on Saturdays?').waitFor()
  })

  it('shows its shortcuts by ?, goes to the next chat by Alt and an arrow, and inserts an emoji', async (t) => {
    const { page } = await opened(t, ANA)
    const box = page.getByLabel('Write a message')
    await hasFocus(box, 'a chat was opened')
    await page.keyboard.press('Control+e')
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.getByRole('button', { name: '😀' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await shots(page, 'emoji')
    await page.keyboard.press('Escape')
    await hasFocus(box, 'the emoji were closed')
    await eventually(async () => (await box.inputValue()) === '😃')
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByRole('heading', { name: 'Ana Souza', level: 1 }).waitFor({ state: 'detached' })
    await hasFocus(box, 'the next chat was opened')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await shots(page, 'shortcuts')
  })

  it('records a voice message, plays it before it leaves, and sends it', async (t) => {
    const session = await browser.session(t, world.gateway.url)
    // A tone in the place of a microphone, which this machine lacks.
    await session.page.addInitScript(`navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext()
      const tone = context.createOscillator()
      const target = context.createMediaStreamDestination()
      tone.connect(target)
      tone.start()
      return target.stream
    }`)
    const { page } = await opened(t, ANA, '', session)
    await page.getByRole('button', { name: 'Record a voice message' }).click()
    await page.getByText(/Recording: 0:0[1-9]/).waitFor()
    await page.getByRole('button', { name: 'Stop and listen' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    await shots(page, 'voice')
    await page.getByRole('button', { name: 'Send the voice message' }).click()
    await atPhone(ANA, ({ media }) => media.some(({ ptt }) => ptt))
    await hasFocus(page.getByLabel('Write a message'), 'the voice message was sent')
  })

  it('schedules what the box has', async (t) => {
    const { page } = await opened(t, BEN)
    await page.getByLabel('Write a message').fill('Tomorrow then')
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Send later' })
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await dialog.getByText(/^Scheduled for /).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await eventually(async () => (await page.getByLabel('Write a message').inputValue()) === '')
    const { body } = await shop.call<{ messages: { text: string }[] }>('GET', '/message/scheduled')
    assert.ok(body.messages.some(({ text }) => text === 'Tomorrow then'))
  })

  it('shows the files of a chat as a gallery', async (t) => {
    const { page } = await opened(t, ANA)
    await page.getByRole('button', { name: 'Details' }).click()
    const details = page.getByRole('complementary', { name: 'Details' })
    await details.getByRole('button', { name: 'Pictures and videos' }).click()
    await details
      .getByRole('button', { name: /Picture$/ })
      .first()
      .waitFor()
    await details.getByRole('button', { name: 'Documents' }).click()
    await details.getByText('prices.txt').waitFor()
    await shots(page, 'details')
    assert.deepEqual(await findingsInBothThemes(page, 'details'), [])
  })

  it('tells of new messages by the title only when the person wants it', async (t) => {
    const { page } = await opened(t, ANA)
    const before = await page.title()
    await world.write(BEN, SHOP, 'One more')
    await page.getByRole('option', { name: /^Ben/ }).getByText('1 unread').waitFor({ state: 'attached' })
    assert.equal(await page.title(), before)
    await page.getByRole('button', { name: 'Settings of the inbox' }).click()
    await page.getByLabel('Number of unread chats in the tab').check()
    await eventually(
      () => page.title(),
      (title) => title.startsWith('(1) '),
      30_000,
    )
  })

  /** Opens the chat of a person and signs in. */
  async function opened(t: Cleanup, person: string, more = '', given?: Session): Promise<Session> {
    const session = given ?? (await browser.session(t, world.gateway.url))
    const { page } = session
    await page.setViewportSize({ width: 1_440, height: 900 })
    const chat = person.includes('@') ? person : `${person}@s.whatsapp.net`
    await page.goto(`${world.gateway.url}/dashboard/instances/${shop.id}/chats?chat=${encodeURIComponent(chat)}${more}`)
    await page.getByLabel('the token or a key of an instance').check()
    await page.getByLabel('Token', { exact: true }).fill(shop.token)
    await page.keyboard.press('Enter')
    await page.getByLabel('Write a message').waitFor()
    return session
  }

  async function atPhone(number: string, isIt: (message: Drawn) => boolean): Promise<Drawn> {
    const look = () => world.network<Drawn[]>('GET', `/phones/${number}/messages`)
    const found = await eventually(look, (messages) => messages.some(isIt))
    return found.find(isIt) as Drawn
  }
})

async function shots(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
