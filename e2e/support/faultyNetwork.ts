import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A simulated network: a proxy for all traffic between a browser and the console, which can fail. */
export class FaultyNetwork {
  readonly #server: Server
  readonly #connections = new Set<Socket>()
  readonly #target: { host: string; port: number }
  #isDown = false
  /** Connections that were lost while something could still have come over them. */
  cutCount = 0

  private constructor(target: URL) {
    this.#target = { host: target.hostname, port: Number(target.port) }
    this.#server = createServer((near) => this.#forward(near))
  }

  static async start(url: string): Promise<FaultyNetwork> {
    const network = new FaultyNetwork(new URL(url))
    await new Promise<void>((resolve) => network.#server.listen(0, '127.0.0.1', resolve))
    return network
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Resets every connection (TCP RST); new ones can be opened. */
  cut(): void {
    for (const socket of this.#connections) socket.resetAndDestroy()
    this.cutCount += this.#connections.size / 2
    this.#connections.clear()
  }

  /** Resets every connection and accepts none until `restore`. */
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

  #forward(near: Socket): void {
    if (this.#isDown) return void near.resetAndDestroy()
    const far = connect(this.#target)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#connections.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#connections.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }
}
