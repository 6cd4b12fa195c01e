import { User, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useChatPicture } from '../../hooks/use-chat-picture.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import styles from './avatar.module.css'

/** Time that a row must stay in sight before its picture is asked for: a list that is scrolled asks for none. */
const STAYS_MS = 350
const COLOURS = 8

interface AvatarProps {
  readonly chatId: string
  readonly name: string
  readonly isGroup: boolean
  /** Width in pixels. */
  readonly size?: number
  /** False: only the letters are shown. */
  readonly hasPicture?: boolean
}

/** Round picture of a chat; the first letters of its name until there is one. */
export function Avatar({ chatId, name, isGroup, size = 46, hasPicture = true }: AvatarProps) {
  const { id, credential, told } = useThisInstance()
  const stays = useStays(chatId)
  // The network is asked for pictures, which a closed connection cannot do.
  const isWanted = hasPicture && stays && told.status.connected
  const url = useChatPicture(id, isWanted ? credential : undefined, chatId)
  const letters = makeLetters(name)
  return (
    <span
      className={`${styles.avatar} ${styles[`c${chooseColour(chatId)}`]}`}
      style={{ width: size, height: size, fontSize: size * 0.38 }}
      aria-hidden="true"
    >
      {url !== undefined ? (
        <img src={url} alt="" width={size} height={size} />
      ) : letters !== '' ? (
        letters
      ) : isGroup ? (
        <Users size={size * 0.5} />
      ) : (
        <User size={size * 0.5} />
      )}
    </span>
  )
}

function useStays(chatId: string): boolean {
  const [stays, setStays] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setStays(chatId), STAYS_MS)
    return () => clearTimeout(timer)
  }, [chatId])
  return stays === chatId
}

/** Returns a number from 0 to 7 that is always the same for a person. */
export function chooseColour(id: string): number {
  let sum = 0
  for (const letter of id.slice(0, 60)) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return sum % COLOURS
}

/** Returns the first letters of the first and the last word; empty for a number. */
function makeLetters(name: string): string {
  const words = name.slice(0, 120).match(/\p{L}\p{M}*/u) === null ? [] : name.slice(0, 120).split(/\s+/)
  const letters = words.map((word) => /\p{L}/u.exec(word)?.[0] ?? '').filter(Boolean)
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toUpperCase()
}
