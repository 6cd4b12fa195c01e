import { Component, type ReactNode } from 'react'

interface RowGuardProps {
  /** The record that is drawn. Another one in its place is tried again. */
  readonly record?: unknown
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

  override componentDidUpdate({ record }: RowGuardProps): void {
    if (this.state.isBroken && record !== this.props.record) this.setState({ isBroken: false })
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.instead : this.props.children
  }
}
