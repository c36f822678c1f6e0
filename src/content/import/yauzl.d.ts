// The published types only describe the callbacks of older versions.
declare module 'yauzl' {
  export interface Entry {
    fileName: string;
    compressedSize: number;
    uncompressedSize: number;
    externalFileAttributes: number;
  }

  export interface ZipFile {
    readonly entryCount: number;
    eachEntry(): AsyncIterable<Entry>;
    openReadStreamPromise(entry: Entry): Promise<AsyncIterable<Buffer>>;
    close(): void;
  }

  const yauzl: {
    fromBufferPromise(
      buffer: Buffer,
      options: { lazyEntries: true; autoClose: false; strictFileNames?: boolean },
    ): Promise<ZipFile>;
  };
  export default yauzl;
}
