// Says when the session of pi is damaged, and how to repair it. It only reads, and it never makes pi wait for long.
// Installed by `condense hook --install pi`; `condense hook --uninstall pi` takes it out.
import { spawn } from "node:child_process";

const COMMAND: string[] = ["condense", "hook"];
const MILLISECONDS = 5000;

function ask(event: string, ctx: any, source?: string): Promise<void> {
  return new Promise((done) => {
    try {
      const session_file = ctx.sessionManager.getSessionFile();
      if (!session_file) return done();
      const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"], timeout: MILLISECONDS });
      let out = "";
      child.on("error", () => done());
      child.stdin.on("error", () => {});
      child.stdout.on("data", (data: Buffer) => (out += data));
      child.on("close", () => {
        try {
          const message = out.trim() && JSON.parse(out).systemMessage;
          if (message && ctx.hasUI) ctx.ui.notify(message, "warning");
          else if (message) console.error(message);
        } catch {}
        done();
      });
      child.stdin.end(JSON.stringify({ hook_event_name: event, session_file, source }));
    } catch {
      done();
    }
  });
}

export default function (pi: any) {
  pi.on("session_start", (event: any, ctx: any) => ask("SessionStart", ctx, event.reason));
  pi.on("agent_settled", (_event: any, ctx: any) => void ask("Stop", ctx));
  pi.on("session_before_compact", (_event: any, ctx: any) => void ask("PreCompact", ctx));
  pi.on("session_shutdown", (_event: any, ctx: any) => ask("SessionEnd", ctx));
}
