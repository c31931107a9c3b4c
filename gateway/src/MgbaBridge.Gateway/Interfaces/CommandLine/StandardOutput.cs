using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>
/// Standard output, which ends the verb when nobody reads it any more (<c>mgba-bridge watch frame | head -1</c>) and when it cannot be written. .NET's own
/// stream ignores that a reader has gone, and a verb that follows events would never end.
/// </summary>
internal sealed partial class StandardOutput : Stream
{
    private const int Descriptor = 1;
    private const int Interrupted = 4; // EINTR
    private const int BrokenPipe = 32; // EPIPE
    private const short PollOut = 4;

    private static readonly int WouldBlock = OperatingSystem.IsLinux() ? 11 : 35; // EAGAIN

    // null for a pipe, a socket or a device on Unix
    private readonly Stream? _stream = IsPipe() ? null : Console.OpenStandardOutput();

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>A writer for text: the console's own for a terminal.</summary>
    public static TextWriter Writer() => Console.IsOutputRedirected ? new StreamWriter(new StandardOutput(), new UTF8Encoding(false)) { AutoFlush = true } : Console.Out;

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (_stream is null)
        {
            WriteToPipe(buffer);
            return;
        }

        try
        {
            _stream.Write(buffer);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw VerbException.File("Standard output", "written", exception);
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    // a file needs the console's stream, because other programs may write to it at the same position
    private static bool IsPipe()
    {
        if (OperatingSystem.IsWindows())
        {
            return false;
        }

        try
        {
            using var file = new FileStream(new SafeFileHandle(Descriptor, ownsHandle: false), FileAccess.Write, bufferSize: 0);
            return !file.CanSeek;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return false; // closed
        }
    }

    private static void WriteToPipe(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            var written = Write(Descriptor, in MemoryMarshal.GetReference(buffer), buffer.Length);
            if (written >= 0)
            {
                buffer = buffer[(int)written..];
                continue;
            }

            var error = Marshal.GetLastPInvokeError();
            if (error == WouldBlock)
            {
                // another program that has the same pipe made it non-blocking
                var pipe = new PollDescriptor { Descriptor = Descriptor, Events = PollOut };
                _ = Poll(ref pipe, 1, -1);
            }
            else if (error == BrokenPipe)
            {
                throw VerbException.NobodyReads();
            }
            else if (error != Interrupted)
            {
                throw VerbException.File("Standard output", "written", new IOException($"{Marshal.GetPInvokeErrorMessage(error)}."));
            }
        }
    }

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    private static partial nint Write(int descriptor, in byte buffer, nint length);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    private static partial int Poll(ref PollDescriptor descriptors, nuint count, int timeout);

    private struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Happened;
    }
}
