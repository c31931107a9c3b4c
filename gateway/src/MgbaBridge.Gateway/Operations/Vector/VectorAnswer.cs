using System.Buffers;
using System.Buffers.Binary;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Scenarios;

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
    internal static VectorAnswer Of(VectorRequest request, Scenario? scenario, ReadOnlySpan<VectorResult> results)
    {
        var (width, height) = SizeOf(results);
        var channels = request.Pixels is { } pixels ? pixels.Grey ? 1 : 3 : 0;
        var (rows, values, picture) = (results.Length, request.Reads.Count + (scenario?.Variables.Count ?? 0), width * height * channels);
        var judged = scenario is null ? 0 : 1;
        var failures = FailuresOf(request, results, picture);
        var details = failures is null ? [] : JsonSerializer.SerializeToUtf8Bytes(failures, VectorJson.Default.IReadOnlyListVectorFailure);
        var frames = HeadSize;
        var numbers = frames + (8 * rows);
        var rewards = numbers + (8 * rows * values);
        var epochs = rewards + (8 * rows * judged);
        var statuses = epochs + (4 * rows);
        var ends = statuses + (4 * rows);
        var pictures = ends + (4 * rows * judged);
        var length = checked(pictures + (rows * picture) + details.Length);
        var buffer = ArrayPool<byte>.Shared.Rent(length);
        var bytes = buffer.AsSpan(0, length);
        ReadOnlySpan<uint> head = [Magic, (uint)rows, (uint)values, (uint)height, (uint)width, (uint)channels, (uint)details.Length, (uint)judged];
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
            BinaryPrimitives.WriteUInt32LittleEndian(bytes[(statuses + (4 * row))..], failure is null ? StatusCodes.Status200OK : (uint)(result.Failure?.Kind.Status ?? OtherSize));
            var judgement = WriteValues(request.Reads, scenario, failure is null ? result : default, bytes.Slice(numbers + (8 * values * row), 8 * values));
            if (scenario is not null)
            {
                BinaryPrimitives.WriteDoubleLittleEndian(bytes[(rewards + (8 * row))..], judgement.Reward);
                BinaryPrimitives.WriteUInt32LittleEndian(bytes[(ends + (4 * row))..], judgement.Done ? 1u : 0);
            }

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
            if (result.Failure is null)
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
            if (result.Failure is { } failure)
            {
                (failures ??= []).Add(new VectorFailure(row, emulator, failure.Kind.Name, failure.OfCommand?.CodeName, failure.Detail, failure.OfCommand?.MayHaveRun ?? false));
            }
            else if (result.Pixels.Length != picture)
            {
                (failures ??= []).Add(new VectorFailure(
                    row, emulator, "other-size", null, $"The picture of emulator {emulator} has {result.Width} x {result.Height} pixels, unlike that of another row. Choose width and height, or emulators of one console.", true));
            }
        }

        return failures;
    }

    private static Judgement WriteValues(IReadOnlyList<MemoryRange> reads, Scenario? scenario, in VectorResult result, Span<byte> target)
    {
        var memory = result.Values.Span;
        if (memory.IsEmpty)
        {
            target.Clear();
            return default;
        }

        foreach (var read in reads)
        {
            BinaryPrimitives.WriteInt64LittleEndian(target, read.Type!.Value.Read(memory[..(int)read.Length]));
            memory = memory[(int)read.Length..];
            target = target[8..];
        }

        if (scenario is null)
        {
            return default;
        }

        Span<long> values = stackalloc long[scenario.Variables.Count];
        var judgement = scenario.Judge(result.Before.Span, memory, values);
        foreach (var value in values)
        {
            BinaryPrimitives.WriteInt64LittleEndian(target, value);
            target = target[8..];
        }

        return judgement;
    }
}
