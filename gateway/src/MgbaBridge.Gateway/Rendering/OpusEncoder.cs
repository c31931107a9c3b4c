using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>The encoder of the library libopus, for stereo sound.</summary>
internal sealed partial class OpusEncoder : SafeHandleZeroOrMinusOneIsInvalid
{
    /// <summary>How many bytes a packet has at most.</summary>
    public const int MaxPacket = 1_275;

    private const string Library = "libopus.so.0";
    private const int Channels = 2;

    // opus_defines.h
    private const int ApplicationAudio = 2_049;
    private const int SetBitrate = 4_002;
    private const int GetLookahead = 4_027;

    /// <summary>For the marshaller; callers use <see cref="Create(int, int)"/>.</summary>
    public OpusEncoder() : base(ownsHandle: true)
    {
    }

    /// <summary>What is missing, as a sentence; null for nothing.</summary>
    public static string? Missing => IsMissing(OperatingSystem.IsLinux(), static library => NativeLibrary.TryLoad(library, out _));

    /// <summary>How many samples the sound is later than what was encoded.</summary>
    public int Lookahead
    {
        get
        {
            Check(Get(this, GetLookahead, out var samples));
            return samples;
        }
    }

    /// <summary>An encoder.</summary>
    /// <param name="sampleRate">Pairs of samples a second.</param>
    /// <param name="bitsPerSecond">The bits of a second, about.</param>
    public static OpusEncoder Create(int sampleRate, int bitsPerSecond)
    {
        var encoder = Create(sampleRate, Channels, ApplicationAudio, out var error);
        Check(error);
        Check(Set(encoder, SetBitrate, bitsPerSecond));
        return encoder;
    }

    /// <summary>Encodes a packet, and returns its length.</summary>
    /// <param name="samples">Left and right in turn.</param>
    /// <param name="packet">At least <see cref="MaxPacket"/> bytes.</param>
    public int Encode(ReadOnlySpan<short> samples, Span<byte> packet) => Check(Encode(this, samples, samples.Length / Channels, packet, packet.Length));

    internal static string? IsMissing(bool isLinux, Func<string, bool> isThere) =>
        !isLinux ? "Opus is encoded on Linux only. Leave out format=opus for WAV."
        : isThere(Library) ? null : $"Opus needs the library {Library}, which is not installed. Install it (Debian and Ubuntu: sudo apt install libopus0), or leave out format=opus for WAV.";

    protected override bool ReleaseHandle()
    {
        Destroy(handle);
        return true;
    }

    private static int Check(int result) => result >= 0 ? result : throw new InvalidOperationException($"libopus failed with {result}.");

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport(Library, EntryPoint = "opus_encoder_create")]
    private static partial OpusEncoder Create(int sampleRate, int channels, int application, out int error);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport(Library, EntryPoint = "opus_encoder_destroy")]
    private static partial void Destroy(nint encoder);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport(Library, EntryPoint = "opus_encode")]
    private static partial int Encode(OpusEncoder encoder, ReadOnlySpan<short> samples, int pairs, Span<byte> packet, int packetLength);

    // In C its arguments vary in number. Linux passes them like others on x86-64 and arm64.
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport(Library, EntryPoint = "opus_encoder_ctl")]
    private static partial int Set(OpusEncoder encoder, int request, int value);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport(Library, EntryPoint = "opus_encoder_ctl")]
    private static partial int Get(OpusEncoder encoder, int request, out int value);
}
