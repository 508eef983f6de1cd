import { type AnsiStyle, plainStyle, styleAfter } from "./ansi";

export type LogChunk = { from: number; to: number; text: string };

/** What {@link LineBuffer.append} did with a chunk. `gap` means that bytes before it are missing: ask again from `offset`. */
export type Appended = "added" | "repeated" | "gap";

export type Limits = { maxLines: number; maxChars: number };

const defaultLimits: Limits = { maxLines: 200_000, maxChars: 64 * 1024 * 1024 };

/**
 * The lines of one log as far as they have arrived, addressed by byte offset. A chunk that was seen before is dropped and
 * one that overlaps is cut, so a resumed stream never shows a line twice. Old lines are let go when it grows past its
 * limits; line numbers stay right.
 */
export class LineBuffer {
  /** Byte offset up to which the log has been read. */
  offset = 0;
  /** Lines let go at the head. */
  dropped = 0;
  /** Changes with every change; a cheap thing to compare. */
  revision = 0;

  private lines: string[] = [];
  private styles: AnsiStyle[] = [];
  private chars = 0;
  private open = false;
  private readonly limits: Limits;

  constructor(limits: Limits = defaultLimits) {
    this.limits = limits;
  }

  get length(): number {
    return this.lines.length;
  }

  line(index: number): string {
    return this.lines[index] ?? "";
  }

  /** The style in force where the line starts. */
  styleAt(index: number): AnsiStyle {
    return this.styles[index] ?? plainStyle;
  }

  text(): string {
    return this.lines.join("\n");
  }

  /** With `overGap` a chunk that starts later is taken as it is. */
  append(chunk: LogChunk, overGap = false): Appended {
    if (chunk.from > this.offset && !overGap) {
      return "gap";
    }
    if (chunk.to <= this.offset) {
      return "repeated";
    }
    const text = chunk.from >= this.offset ? chunk.text : cutBytes(chunk.text, this.offset - chunk.from);
    this.offset = chunk.to;
    this.addText(text);
    this.trim();
    this.revision++;
    return "added";
  }

  private addText(text: string): void {
    const parts = text.split("\n");
    const last = parts.pop() ?? "";
    for (const part of parts) {
      this.extend(part.endsWith("\r") ? part.slice(0, -1) : part);
      this.open = false;
    }
    if (last !== "") {
      this.extend(last);
      this.open = true;
    }
  }

  /** Lengthens the unfinished last line, or starts a new one. */
  private extend(text: string): void {
    const last = this.lines.length - 1;
    this.chars += text.length;
    if (this.open && last >= 0) {
      this.lines[last] = this.line(last) + text;
      return;
    }
    this.styles.push(last < 0 ? plainStyle : styleAfter(this.line(last), this.styleAt(last)));
    this.lines.push(text);
  }

  /** Lets go of a tenth more than needed, so that it does not happen with every line. */
  private trim(): void {
    let count = Math.max(0, this.lines.length - this.limits.maxLines);
    let chars = this.chars;
    for (let i = 0; i < count; i++) {
      chars -= this.line(i).length;
    }
    while (chars > this.limits.maxChars && count < this.lines.length - 1) {
      chars -= this.line(count).length;
      count++;
    }
    if (count === 0) {
      return;
    }
    const extra = Math.min(this.lines.length - 1, count + Math.floor(this.limits.maxLines / 10));
    for (let i = count; i < extra; i++) {
      chars -= this.line(i).length;
    }
    this.lines = this.lines.slice(extra);
    this.styles = this.styles.slice(extra);
    this.chars = chars;
    this.dropped += extra;
  }
}

/** Removes the first bytes of the UTF-8 form of a text. */
export const cutBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(new TextEncoder().encode(text).subarray(bytes));
