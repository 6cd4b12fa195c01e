import { Component, type ReactNode } from 'react'

interface RowGuardProps {
  /** Shown in the place of a row that cannot be drawn. */
  readonly instead: ReactNode
  readonly children: ReactNode
}

/** Keeps a record that cannot be drawn from taking the page with it. */
export class RowGuard extends Component<RowGuardProps, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.instead : this.props.children
  }
}
