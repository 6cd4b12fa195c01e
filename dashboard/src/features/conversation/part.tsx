import { type ReactNode, useId } from 'react'
import styles from './conversation.module.css'

/** A titled part of what is known of a person. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}
