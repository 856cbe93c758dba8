import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A person's network: all that goes between a browser and the console runs through it, and it can fail. */
export class Line {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  readonly #target: { host: string; port: number }
  #isDown = false
  /** Connections that were lost while something could still have come over them. */
  cuts = 0

  private constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port) }
    this.#server = createServer((near) => this.#carry(near))
  }

  static async start(url: string): Promise<Line> {
    const line = new Line(new URL(url))
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve))
    return line
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Every connection is gone, without a goodbye; new ones can be made. */
  cut(): void {
    for (const socket of this.#open) socket.resetAndDestroy()
    this.cuts += this.#open.size / 2
    this.#open.clear()
  }

  /** No connection stands and none can be made, until `restore`. */
  takeDown(): void {
    this.#isDown = true
    this.cut()
  }

  restore(): void {
    this.#isDown = false
  }

  close(): Promise<void> {
    this.cut()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #carry(near: Socket): void {
    if (this.#isDown) return void near.resetAndDestroy()
    const far = connect(this.#target)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#open.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }
}
