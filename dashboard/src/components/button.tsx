import type { ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './controls.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'main' | 'plain' | 'danger'
  /** While true, the button does nothing and says so to screen readers. It keeps the focus. */
  readonly isBusy?: boolean
  readonly children: ReactNode
}

export function Button({ look = 'plain', isBusy = false, type = 'button', onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={isBusy ? 'button' : type}
      className={`${styles.button} ${styles[look]}`}
      aria-disabled={isBusy || rest.disabled}
      aria-busy={isBusy}
      onClick={isBusy ? undefined : onClick}
    >
      {children}
    </button>
  )
}
