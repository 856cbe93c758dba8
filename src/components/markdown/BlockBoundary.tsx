import { Component, type ReactNode } from 'react'

interface Props {
  text: string
  fallback: ReactNode
  children: ReactNode
}
interface State {
  text: string
  hasFailed: boolean
}

/** Holds what goes wrong with one block within that block: the rest of the answer, and of the screen, stays. */
export class BlockBoundary extends Component<Props, State> {
  override state: State = { text: this.props.text, hasFailed: false }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  /** Another text may be drawn again. */
  static getDerivedStateFromProps({ text }: Props, state: State): State | null {
    return text === state.text ? null : { text, hasFailed: false }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
