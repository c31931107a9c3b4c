using System.Buffers;
using System.Buffers.Binary;
using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Vector;

/// <summary>Why a row has no observation.</summary>
/// <param name="Row">Its index.</param>
/// <param name="Emulator">Its emulator.</param>
/// <param name="Problem">The name of the problem, such as `silent`.</param>
/// <param name="Code">The script's own code when it refused, such as `no-lease`.</param>
/// <param name="Detail">What is wrong, and what to change.</param>
/// <param name="MayHaveRun">Whether the frames may have run.</param>
internal sealed record VectorFailure(int Row, string Emulator, string Problem, string? Code, string Detail, bool MayHaveRun);

/// <summary>What became of the rows, as one block of bytes.</summary>
public sealed class VectorAnswer : IDisposable
{
    private const int HeadSize = 32;
    private const uint Magic = 0x3156474D; // MGV1
    private const int OtherSize = StatusCodes.Status409Conflict;

    private readonly byte[] _buffer;
    private readonly int _length;

    private VectorAnswer(byte[] buffer, int length) => (_buffer, _length) = (buffer, length);

    /// <summary>The bytes, in base64; docs/learning.md describes them.</summary>
    public ReadOnlyMemory<byte> Bytes => _buffer.AsMemory(0, _length);

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);

    /// <summary>Packs the results of the rows, in their order.</summary>
    internal static VectorAnswer Of(VectorRequest request, ReadOnlySpan<VectorResult> results)
    {
        var (width, height) = SizeOf(results);
        var channels = request.Pixels is { } pixels ? pixels.Grey ? 1 : 3 : 0;
        var (rows, values, picture) = (results.Length, request.Reads.Count, width * height * channels);
        var failures = FailuresOf(request, results, picture);
        var details = failures is null ? [] : JsonSerializer.SerializeToUtf8Bytes(failures, VectorJson.Default.IReadOnlyListVectorFailure);
        var frames = HeadSize;
        var numbers = frames + (8 * rows);
        var epochs = numbers + (8 * rows * values);
        var statuses = epochs + (4 * rows);
        var pictures = statuses + (4 * rows);
        var length = checked(pictures + (rows * picture) + details.Length);
        var buffer = ArrayPool<byte>.Shared.Rent(length);
        var bytes = buffer.AsSpan(0, length);
        ReadOnlySpan<uint> head = [Magic, (uint)rows, (uint)values, (uint)height, (uint)width, (uint)channels, (uint)details.Length, 0];
        for (var index = 0; index < head.Length; index++)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes[(4 * index)..], head[index]);
        }

        for (var row = 0; row < rows; row++)
        {
            var result = results[row];
            var failure = failures?.Find(failure => failure.Row == row);
            BinaryPrimitives.WriteInt64LittleEndian(bytes[(frames + (8 * row))..], result.Frame);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes[(epochs + (4 * row))..], result.Epoch.Value);
            BinaryPrimitives.WriteUInt32LittleEndian(bytes[(statuses + (4 * row))..], failure is null ? StatusCodes.Status200OK : (uint)(result.Refusal?.Status ?? OtherSize));
            WriteValues(request.Reads, failure is null ? result.Values.Span : default, bytes.Slice(numbers + (8 * values * row), 8 * values));
            var target = bytes.Slice(pictures + (picture * row), picture);
            if (failure is null)
            {
                result.Pixels.Span.CopyTo(target);
            }
            else
            {
                target.Clear();
            }
        }

        details.CopyTo(bytes[(pictures + (rows * picture))..]);
        return new VectorAnswer(buffer, length);
    }

    private static (int Width, int Height) SizeOf(ReadOnlySpan<VectorResult> results)
    {
        foreach (var result in results)
        {
            if (result.Refusal is null)
            {
                return (result.Width, result.Height);
            }
        }

        return default;
    }

    private static List<VectorFailure>? FailuresOf(VectorRequest request, ReadOnlySpan<VectorResult> results, int picture)
    {
        List<VectorFailure>? failures = null;
        for (var row = 0; row < results.Length; row++)
        {
            var result = results[row];
            var emulator = request.Rows[row].Emulator;
            if (result.Refusal is { } refusal)
            {
                (failures ??= []).Add(new VectorFailure(row, emulator, refusal.Name, refusal.Failure?.CodeName, refusal.Detail, refusal.Failure?.MayHaveRun ?? false));
            }
            else if (result.Pixels.Length != picture)
            {
                (failures ??= []).Add(new VectorFailure(
                    row, emulator, "other-size", null, $"The picture of emulator {emulator} has {result.Width} x {result.Height} pixels, unlike that of another row. Choose width and height, or emulators of one console.", true));
            }
        }

        return failures;
    }

    private static void WriteValues(IReadOnlyList<MemoryRange> reads, ReadOnlySpan<byte> memory, Span<byte> target)
    {
        if (memory.IsEmpty)
        {
            target.Clear();
            return;
        }

        for (var index = 0; index < reads.Count; index++)
        {
            var length = (int)reads[index].Length;
            BinaryPrimitives.WriteInt64LittleEndian(target[(8 * index)..], reads[index].Type!.Value.Read(memory[..length]));
            memory = memory[length..];
        }
    }
}
