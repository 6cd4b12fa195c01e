/** Pairs of ground and text, by which people are told apart. */
const COLOURS = [
  'bg-accent-back text-accent-text',
  'bg-info-back text-info',
  'bg-busy-back text-busy',
  'bg-bad-back text-bad',
  'bg-good-back text-good',
  'bg-sunken text-muted',
] as const

const SIZES = { small: 'size-7 text-2xs', normal: 'size-10 text-sm', large: 'size-14 text-lg' } as const

interface AvatarProps {
  readonly name: string
  /** Address of a picture of this origin, if there is one. */
  readonly src?: string | undefined
  readonly size?: keyof typeof SIZES
}

/** Picture of a person or an account; without one its initials on a colour that stays the same. The name stands beside it. */
export function Avatar({ name, src, size = 'normal' }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={`inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full font-semibold select-none ${SIZES[size]} ${chooseColour(name)}`}
    >
      {src === undefined ? makeInitials(name) : <img src={src} alt="" className="size-full object-cover" />}
    </span>
  )
}

/** Returns the first letters of the first and the last word; for a number its last two digits. */
function makeInitials(name: string): string {
  const words = name.split(' ').filter((word) => word !== '')
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
  return name.startsWith('+') ? name.slice(-2) : letters.toUpperCase()
}

function chooseColour(name: string): string {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return COLOURS[sum % COLOURS.length] ?? COLOURS[0]
}
