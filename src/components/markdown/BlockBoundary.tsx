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

/** Contains a render error within one block: the rest of the answer and the screen stay. */
export class BlockBoundary extends Component<Props, State> {
  override state: State = { text: this.props.text, hasFailed: false }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  /** A new text resets the error. */
  static getDerivedStateFromProps({ text }: Props, state: State): State | null {
    return text === state.text ? null : { text, hasFailed: false }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
