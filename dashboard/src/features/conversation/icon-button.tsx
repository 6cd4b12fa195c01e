import type { ReactNode } from 'react'
import styles from './icon-button.module.css'

interface IconButtonProps {
  /** What it does, for screen readers and those who wait over it. */
  readonly label: string
  readonly hasPopup?: 'dialog' | 'menu'
  readonly isOpen?: boolean
  readonly isPressed?: boolean
  readonly look?: 'plain' | 'main' | 'danger'
  readonly type?: 'button' | 'submit'
  readonly onClick?: (button: HTMLButtonElement) => void
  readonly children: ReactNode
}

/** A round button with an icon alone. */
export function IconButton(props: IconButtonProps) {
  const { label, hasPopup, isOpen, isPressed, look = 'plain', type = 'button', onClick, children } = props
  return (
    <button
      type={type}
      className={`${styles.icon} ${styles[look]}`}
      aria-label={label}
      title={label}
      aria-haspopup={hasPopup}
      aria-expanded={isOpen}
      aria-pressed={isPressed}
      onClick={({ currentTarget }) => onClick?.(currentTarget)}
    >
      {children}
    </button>
  )
}

/** A cross. That of the icon library would bring the code of dialogs with it, which shares its file. */
export function CloseIcon({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M18 6 6 18M6 6l12 12" />
    </svg>
  )
}
