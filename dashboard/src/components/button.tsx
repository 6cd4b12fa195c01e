import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react'
import styles from './controls.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'main' | 'plain' | 'danger'
  /** While one of them is true, the button does nothing and says so to screen readers. It keeps the focus, which a browser takes from what is disabled. */
  readonly isBusy?: boolean
  readonly disabled?: boolean
  readonly children: ReactNode
}

export function Button(props: ButtonProps) {
  const { look = 'plain', isBusy = false, disabled = false, type = 'button', onClick, children, ...rest } = props
  const isOff = isBusy || disabled
  return (
    <button
      {...rest}
      type={type}
      className={`${styles.button} ${styles[look]}`}
      aria-disabled={isOff}
      aria-busy={isBusy}
      onClick={isOff ? doNothing : onClick}
    >
      {children}
    </button>
  )
}

/** Keeps the form from being sent, also by Enter in one of its fields. */
function doNothing(event: MouseEvent): void {
  event.preventDefault()
}
