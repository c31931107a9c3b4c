using System.Text;
using Microsoft.Win32.SafeHandles;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>
/// Standard output, which ends the verb when nobody reads it any more (<c>mgba-bridge watch frame | head -1</c>) and when it cannot be written. .NET's own
/// stream ignores that a reader has gone, and a verb that follows events would never end.
/// </summary>
internal sealed class StandardOutput : Stream
{
    private const int BrokenPipe = 32; // EPIPE, which is the HResult on Unix

    private readonly Stream _stream = Open();

    /// <inheritdoc/>
    public override bool CanRead => false;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>A writer for text: the console's own for a terminal.</summary>
    public static TextWriter Writer() => Console.IsOutputRedirected ? new StreamWriter(new StandardOutput(), new UTF8Encoding(false)) { AutoFlush = true } : Console.Out;

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            _stream.Write(buffer);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw exception.HResult == BrokenPipe ? VerbException.NobodyReads() : VerbException.File("Standard output", "written", exception);
        }
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    // a pipe as a file reports that its reader has gone; a file needs the console's stream, because other programs may write to it at the same position
    private static Stream Open()
    {
        if (!OperatingSystem.IsWindows())
        {
            try
            {
                var file = new FileStream(new SafeFileHandle(1, ownsHandle: false), FileAccess.Write, bufferSize: 0);
                if (!file.CanSeek)
                {
                    return file;
                }
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
            {
                // closed
            }
        }

        return Console.OpenStandardOutput();
    }
}
