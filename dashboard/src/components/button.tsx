import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'

const BASE =
  'inline-flex items-center justify-center gap-1.5 rounded-md border font-medium aria-disabled:cursor-default aria-disabled:opacity-60'

const LOOKS = {
  main: 'border-accent bg-accent text-on-accent shadow-control hover:border-accent-hover hover:bg-accent-hover',
  plain: 'border-button-line bg-surface text-text shadow-control hover:bg-hover',
  quiet: 'border-transparent bg-transparent text-text hover:bg-hover',
  danger: 'border-button-line bg-surface text-bad shadow-control hover:border-bad hover:bg-bad-back',
} as const

const SIZES = {
  normal: 'min-h-control px-3.5 py-1 text-base',
  small: 'min-h-8 px-2.5 py-0.5 text-sm',
} as const

interface LookProps {
  readonly look?: keyof typeof LOOKS
  readonly size?: keyof typeof SIZES
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, LookProps {
  /** While one of them is true, the button does nothing and says so to screen readers. It keeps the focus, which a browser takes from what is disabled. */
  readonly isBusy?: boolean
  readonly disabled?: boolean
  /** Picture before the text. */
  readonly icon?: LucideIcon
  readonly children: ReactNode
}

/** Returns the classes of a button, for a link that looks like one. */
export function makeButtonLook({ look = 'plain', size = 'normal' }: LookProps = {}): string {
  return `${BASE} ${LOOKS[look]} ${SIZES[size]}`
}

export function Button(props: ButtonProps) {
  const {
    look,
    size,
    isBusy = false,
    disabled = false,
    type = 'button',
    icon: Icon,
    onClick,
    children,
    ...rest
  } = props
  const isOff = isBusy || disabled
  return (
    <button
      {...rest}
      type={type}
      className={makeButtonLook({ ...(look && { look }), ...(size && { size }) })}
      aria-disabled={isOff}
      aria-busy={isBusy}
      onClick={isOff ? doNothing : onClick}
    >
      {Icon === undefined ? null : <Icon size={16} aria-hidden className="shrink-0" />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  readonly icon: LucideIcon
  /** Name for screen readers, and beside the pointer. */
  readonly name: string
  readonly isBusy?: boolean
  readonly look?: 'quiet' | 'plain' | 'main'
}

/** A button that is only a picture. */
export function IconButton(props: IconButtonProps) {
  const {
    icon: Icon,
    name,
    isBusy = false,
    disabled = false,
    look = 'quiet',
    type = 'button',
    onClick,
    ...rest
  } = props
  const isOff = isBusy || disabled
  return (
    <button
      {...rest}
      type={type}
      title={name}
      aria-label={name}
      aria-disabled={isOff}
      className={`inline-flex size-control shrink-0 items-center justify-center rounded-md border aria-disabled:opacity-50 aria-pressed:bg-accent-back aria-pressed:text-accent-text ${LOOKS[look]}`}
      onClick={isOff ? doNothing : onClick}
    >
      <Icon size={18} aria-hidden />
    </button>
  )
}

/** Keeps the form from being sent, also by Enter in one of its fields. */
function doNothing(event: MouseEvent): void {
  event.preventDefault()
}
