import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { contentForCallers } from './content.js'
import { unwrap } from './incoming.js'

/** As it is read off the wire. */
function told(message: proto.IMessage) {
  const described = contentForCallers(
    unwrap(proto.Message.decode(proto.Message.encode(message as proto.Message).finish())),
  )
  return [described?.messageType, described?.text, described?.quoted]
}

describe('a message of a rarer kind', () => {
  it('has the name of its kind and a summary in words', () => {
    const key = { id: 'ABOUT', remoteJid: 'x@s.whatsapp.net', fromMe: false }
    for (const [message, ...expected] of [
      [
        {
          orderMessage: {
            orderTitle: 'Cakes',
            itemCount: 2,
            totalAmount1000: 12_500,
            totalCurrencyCode: 'BRL',
            message: 'by noon',
          },
        },
        'order',
        'Order: Cakes\n2 items, 12.50 BRL\nby noon',
      ],
      [{ orderMessage: {} }, 'order', 'Order'],
      [
        {
          productMessage: {
            product: { title: 'Cake', priceAmount1000: 8_000, currencyCode: 'BRL', description: 'sweet' },
          },
        },
        'product',
        'Product: Cake\n8.00 BRL\nsweet',
      ],
      [
        {
          groupInviteMessage: { groupName: 'Trip', inviteCode: 'AbCdEf123', caption: 'come along', groupJid: 'x@g.us' },
        },
        'invite',
        'Invitation to the group Trip\nhttps://chat.whatsapp.com/AbCdEf123\ncome along',
      ],
      [{ groupInviteMessage: { inviteCode: 'a b/../c' } }, 'invite', 'Invitation to a group'],
      [
        { newsletterAdminInviteMessage: { newsletterName: 'News', caption: 'help us' } },
        'invite',
        'Invitation to administer the channel News\nhelp us',
      ],
      [
        { newsletterFollowerInviteMessageV2: { newsletterName: 'News' } },
        'invite',
        'Invitation to follow the channel News',
      ],
      [
        {
          eventMessage: {
            name: 'Dinner',
            startTime: 1_800_000_000,
            location: { name: 'Ana’s' },
            description: 'bring wine',
          },
        },
        'event',
        'Event: Dinner\n2027-01-15T08:00:00.000Z\nAna’s\nbring wine',
      ],
      [{ eventMessage: { name: 'Dinner', isCanceled: true } }, 'event', 'Canceled event: Dinner'],
      [{ encEventResponseMessage: { eventCreationMessageKey: key } }, 'event', 'Answer to an event', 'ABOUT'],
      [
        {
          requestPaymentMessage: {
            amount: { value: 1_050, offset: 100, currencyCode: 'BRL' },
            noteMessage: { extendedTextMessage: { text: 'for the cake' } },
          },
        },
        'payment',
        'Payment request: 10.50 BRL\nfor the cake',
      ],
      [
        { requestPaymentMessage: { amount1000: 5_000, currencyCodeIso4217: 'BRL' } },
        'payment',
        'Payment request: 5.00 BRL',
      ],
      [
        { sendPaymentMessage: { noteMessage: { conversation: 'here' }, requestMessageKey: key } },
        'payment',
        'Payment\nhere',
        'ABOUT',
      ],
      [{ declinePaymentRequestMessage: { key } }, 'payment', 'Payment request declined', 'ABOUT'],
      [{ cancelPaymentRequestMessage: { key } }, 'payment', 'Payment request canceled', 'ABOUT'],
      [{ paymentInviteMessage: { serviceType: 1 } }, 'payment', 'Invitation to set up payments'],
      [{ invoiceMessage: { note: 'May' } }, 'payment', 'Invoice\nMay'],
      [{ callLogMesssage: { isVideo: true, callOutcome: 1 } }, 'call', 'Video call, missed'],
      [{ callLogMesssage: { callOutcome: 0, durationSecs: 61 } }, 'call', 'Voice call, answered, 61 seconds'],
      [
        { scheduledCallCreationMessage: { title: 'Plans', scheduledTimestampMs: 1_800_000_000_000 } },
        'call',
        'Scheduled call: Plans\n2027-01-15T08:00:00.000Z',
      ],
      [{ call: { callKey: Buffer.from('x') } }, 'call', 'Call'],
      [
        {
          templateMessage: {
            hydratedTemplate: {
              hydratedTitleText: 'Hi',
              hydratedContentText: 'Pick',
              hydratedButtons: [{ quickReplyButton: { displayText: 'Yes' } }],
            },
          },
        },
        'button',
        'Hi\nPick',
      ],
      [{ albumMessage: { expectedImageCount: 3, expectedVideoCount: 1 } }, 'album', 'Album, 3 pictures, 1 video'],
      [{ associatedChildMessage: { message: { imageMessage: { caption: 'one of them' } } } }, 'image', 'one of them'],
      [{ lottieStickerMessage: { message: { stickerMessage: {} } } }, 'sticker', ''],
      [{ stickerPackMessage: { name: 'Cats', publisher: 'Ben' } }, 'sticker', 'Sticker pack: Cats, Ben'],
      [
        { pollResultSnapshotMessage: { name: 'When?', pollVotes: [{ optionName: 'Now', optionVoteCount: 2 }] } },
        'poll',
        'Result of a poll: When?\nNow: 2',
      ],
      [
        { commentMessage: { message: { conversation: 'so true' }, targetMessageKey: key } },
        'comment',
        'so true',
        'ABOUT',
      ],
      [{ pinInChatMessage: { key, type: 1 } }, 'pin', 'Message pinned', 'ABOUT'],
      [{ requestPhoneNumberMessage: {} }, 'other', 'Request for the phone number'],
      [{ messageHistoryNotice: {} }, 'other', 'Earlier messages were shared'],
    ] as [proto.IMessage, string, string, string?][])
      assert.deepEqual(
        told(message),
        [...expected, ...(expected.length === 2 ? [undefined] : [])],
        JSON.stringify(message),
      )
  })

  it('never has an empty text, whatever its fields', () => {
    const kinds = Object.keys(proto.Message.prototype).filter((name) => /[a-z](Message|Mess+age|V\d)$/.test(name))
    assert.ok(kinds.length > 60)
    const spoken = new Set([
      'image',
      'video',
      'audio',
      'document',
      'sticker',
      'location',
      'contact',
      'button',
      'list',
      'poll',
      'reaction',
    ])
    for (const name of kinds) {
      const described = contentForCallers(unwrap({ [name]: {} }))
      if (described === null || spoken.has(described.messageType)) continue
      // An ordinary text says what its sender wrote.
      if (name !== 'extendedTextMessage') assert.notEqual(described.text, '', name)
    }
  })

  it('accepts impossible numbers and times', () => {
    assert.deepEqual(told({ eventMessage: { name: 'Never', startTime: 9e15 } }), ['event', 'Event: Never', undefined])
    assert.deepEqual(told({ orderMessage: { itemCount: -5, totalAmount1000: -1 } }), [
      'order',
      'Order\n-0.00',
      undefined,
    ])
    assert.deepEqual(told({ requestPaymentMessage: { amount: { value: 5, offset: 0 } } }), [
      'payment',
      'Payment request: 5.00',
      undefined,
    ])
  })
})
