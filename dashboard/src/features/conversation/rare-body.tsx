import { ExternalLink, MapPin } from 'lucide-react'
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import { parseVcard } from '../../format/vcard.js'
import { showUnseen } from '../../format/visible.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { Formatted } from './formatted.js'
import styles from './message.module.css'

/** A contact card or a location. */
export function RareBody({ message }: { readonly message: Message }) {
  return message.messageType === 'contact' ? <Contacts message={message} /> : <Place message={message} />
}

function Contacts({ message: { content, text = '' } }: { readonly message: Message }) {
  const said = useConversationWords()
  const cards = listCards(content)
  if (cards.length === 0) return <Formatted text={text} />
  return cards.slice(0, 20).map((card, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two cards may be the same.
    <dl key={place} className={styles.card}>
      {parseVcard(card).map(({ field, value }, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same.
        <div key={line}>
          <dt>{said.fields[field]}</dt>
          <dd>
            <bdi>{showUnseen(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  ))
}

function listCards(content: unknown): readonly string[] {
  if (!isObject(content)) return []
  if (typeof content.vcard === 'string') return [content.vcard]
  return Array.isArray(content.contacts) ? content.contacts.flatMap(listCards) : []
}

function Place({ message: { content, text = '' } }: { readonly message: Message }) {
  const said = useConversationWords()
  const { degreesLatitude, degreesLongitude, address } = isObject(content) ? content : {}
  const [latitude, longitude] = [Number(degreesLatitude), Number(degreesLongitude)]
  const isKnown = Number.isFinite(latitude) && Number.isFinite(longitude)
  return (
    <>
      <p className={styles.map}>
        <MapPin size={28} aria-hidden="true" />
        <span className={styles.kind}>{said.kinds.location}</span>
      </p>
      {text === '' ? null : <Formatted text={text} />}
      {typeof address === 'string' && address !== '' ? <Formatted text={address} /> : null}
      {isKnown ? (
        <p>
          {latitude}, {longitude}
          <br />
          <a
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {said.openPlace} <ExternalLink size={13} aria-hidden="true" />
          </a>
        </p>
      ) : null}
    </>
  )
}
