using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Serves the sound of the game as a WAV file, which ends with the stream or after a given time.</summary>
internal static class SoundStream
{
    private const string Path = "/v2/sound";
    private const int SampleRate = SoundTrack.SampleRate;
    private const int BytesPerSample = 4; // left and right
    private const int HeaderBytes = 44;
    private const uint Endless = uint.MaxValue;

    // a longer gap is not filled: the emulator was restarted, or the game was not heard for minutes
    private const long MaxGap = 10 * SampleRate;

    private static readonly Parameters<double?> Length = Parameters
        .Of(Parameter.Number("seconds", 0.1, 3_600, "How many seconds of the game; without it, until one side ends the stream.").Optional() with { Example = "1" })
        .For(HttpMethods.Get, Path);

    public static EndpointOperation Operation { get; } = new(new Resource("Sound", CommonJson.Default), "sound.stream", Path, Access.Read, ServeAsync)
    {
        Summary = "The sound of the game, as WAV",
        Description = "16-bit PCM, stereo, 48,000 samples a second of the game, from now on. Nothing is sent while no frame runs. Sound that the caller does not take in time is replaced by "
            + "silence of the same length. The file gives the sizes of `seconds`, or the largest that WAV can have. On a WebSocket, subscribe to the topic `sound`.",
        Parameters = Length.All,
        Content = new Content("audio/wav", null, null),
        Statuses = [(StatusCodes.Status501NotImplemented, "The sound of an mGBA window is not available to scripts.")],
    };

    private static Task ServeAsync(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        if (Length.Read(http, HttpParameters.TextOf, out var seconds) is { } wrong)
        {
            await Problems.BadRequestAsync(http, wrong);
            return;
        }

        await EmulatorStream.ServeAsync(http, emulator, over => SendAsync(http, emulator, seconds, over));
    });

    private static async Task SendAsync(HttpContext http, EmulatorClient emulator, double? seconds, CancellationToken over)
    {
        using var subscription = emulator.Events.Join();
        _ = EventTopic.TryParse(EventAnswer.Sound, out var topic);
        if ((await emulator.Events.AddAsync(subscription, [topic], null, over)).Failure is { } failure)
        {
            await Problems.WriteAsync(http, emulator.Id, failure);
            return;
        }

        var left = seconds is { } limit ? (long)Math.Round(limit * SampleRate) * BytesPerSample : long.MaxValue;
        http.Response.ContentType = "audio/wav";
        http.Response.Headers.CacheControl = "no-store";
        http.Response.ContentLength = seconds is null ? null : HeaderBytes + left;
        var output = http.Response.BodyWriter;
        WriteHeader(output, seconds is null ? Endless : (uint)left);
        await output.FlushAsync(over);
        long? next = null;
        await foreach (var received in subscription.Waiting.ReadAllAsync(over))
        {
            if (received.Kind != EventAnswer.Sound || EventAnswer.Of(received).Sample is not { } sample)
            {
                continue;
            }

            if (next is { } expected && sample - expected is > 0 and <= MaxGap and var gap)
            {
                left -= WriteSilence(output, Math.Min(gap * BytesPerSample, left));
            }

            var samples = received.Bytes.Span[..(int)Math.Min(received.Bytes.Length, left)];
            output.Write(samples);
            left -= samples.Length;
            next = sample + (received.Bytes.Length / BytesPerSample);
            await output.FlushAsync(over);
            if (left == 0)
            {
                return;
            }
        }
    }

    private static long WriteSilence(PipeWriter output, long bytes)
    {
        for (var left = bytes; left > 0;)
        {
            var span = output.GetSpan();
            var part = (int)Math.Min(left, span.Length);
            span[..part].Clear();
            output.Advance(part);
            left -= part;
        }

        return bytes;
    }

    private static void WriteHeader(PipeWriter output, uint bytes)
    {
        output.Write("RIFF"u8);
        WriteNumber(output, bytes == Endless ? Endless : bytes + HeaderBytes - 8);
        output.Write("WAVEfmt "u8);
        WriteNumber(output, 16); // the bytes of the format
        WriteNumber(output, 0x0002_0001); // PCM, two channels
        WriteNumber(output, SampleRate);
        WriteNumber(output, SampleRate * BytesPerSample);
        WriteNumber(output, 0x0010_0000 | BytesPerSample); // 16 bits
        output.Write("data"u8);
        WriteNumber(output, bytes);
    }

    private static void WriteNumber(PipeWriter output, uint number)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(output.GetSpan(sizeof(uint)), number);
        output.Advance(sizeof(uint));
    }
}
