import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** The state of the connection between a console and its PostgreSQL: open, refused, or stalled. */
export type ProxyState = 'open' | 'gone' | 'stalled'

/** A TCP proxy in front of a PostgreSQL server, with which a test cuts, refuses and stalls connections. */
export class TcpProxy {
  readonly #target: URL
  readonly #server: Server
  readonly #pairs = new Set<[Socket, Socket]>()
  #state: ProxyState = 'open'

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((socket) => this.#take(socket))
  }

  static async to(url: string): Promise<TcpProxy> {
    const line = new TcpProxy(new URL(url))
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve))
    return line
  }

  /** The database's URL through this proxy. */
  get url(): string {
    const url = new URL(this.#target)
    url.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return url.href
  }

  set(state: ProxyState): void {
    this.#state = state
    for (const pair of this.#pairs)
      for (const socket of pair) {
        if (state === 'gone') socket.resetAndDestroy()
        else if (state === 'stalled') socket.pause()
        else socket.resume()
      }
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.set('gone')
    await closed
  }

  #take(client: Socket): void {
    client.on('error', () => client.destroy())
    if (this.#state === 'gone') return void client.resetAndDestroy()
    const server = connect(Number(this.#target.port), this.#target.hostname)
    const pair: [Socket, Socket] = [client, server]
    this.#pairs.add(pair)
    for (const [from, to] of [pair, [server, client] as const]) {
      from.on('error', () => from.destroy())
      from.on('data', (data: Buffer) => void to.write(data))
      from.on('close', () => {
        this.#pairs.delete(pair)
        to.destroy()
      })
      if (this.#state === 'stalled') from.pause()
    }
  }
}
