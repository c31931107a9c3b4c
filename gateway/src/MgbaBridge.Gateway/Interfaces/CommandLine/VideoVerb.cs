using System.Buffers;
using System.CommandLine;
using System.Globalization;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>record video</c>: makes a video of a recording.</summary>
internal static class VideoVerb
{
    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("record video", "Make a video of a recording's file", command =>
    {
        command.Description = "Make a video of a recording's file, with sound: an emulator without a window plays it again, and ffmpeg encodes each frame. "
            + "The extension chooses the form: .mp4 and .webm in four times the game's size, .mkv without loss in the game's size. Needs mgba-headless and ffmpeg.";
        var recording = new Argument<string>("recording") { Description = "The file of the recording (.jsonl); - is standard input", CompletionSources = { Completions.Files } };
        var file = new Argument<string>("file") { Description = $"The video to write: {VideoFormat.Extensions}", CompletionSources = { Completions.Files } };
        var rom = new Option<string>("--rom") { HelpName = "ROM", Description = "The ROM of the recording", Required = true, CompletionSources = { Completions.Files } };
        var patch = new Option<string?>("--patch") { HelpName = "FILE", Description = "The patch of the ROM (IPS, UPS, BPS)", CompletionSources = { Completions.Files } };
        command.Add(recording);
        command.Add(file);
        command.Add(rom);
        command.Add(patch);
        Display.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var (source, target, game) = (result.GetValue(recording)!, result.GetValue(file)!, result.GetValue(rom)!);
            if (VideoFormat.Of(target) is null)
            {
                throw VerbException.WrongUsage($"\"{target}\" has none of the extensions {VideoFormat.Extensions}, which choose the form of the video.");
            }

            if (!Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(target))))
            {
                throw new VerbException(ExitCodes.FileError, $"{target} cannot be written: its folder does not exist.");
            }

            if (!BundledGames.Has(game) && RomFolders.Problem(game) is { } problem)
            {
                throw VerbException.WrongUsage(problem);
            }

            var patchFile = result.GetValue(patch) is { } named ? Path.GetFullPath(named) : null;
            if (patchFile is not null && !File.Exists(patchFile))
            {
                throw VerbException.WrongUsage($"{patchFile} does not exist; name an IPS, UPS or BPS patch.");
            }

            var recorded = RecordedGame.Parse(new ReadOnlySequence<byte>(await VerbFiles.ReadAsync(source, cancelled)), out var wrong)
                ?? throw VerbException.WrongUsage($"{source} is no recording. {wrong}");
            using var temporary = new TemporaryPrograms("mgba-bridge-video-");
            EmulatorLauncher.BeginAnywhere();
            RenderedVideo video;
            try
            {
                video = await RecordingVideo.WriteAsync(temporary.Programs, BundledGames.Has(game) ? game : Path.GetFullPath(game), new EmulatorOptions { Patch = patchFile }, [recorded], Path.GetFullPath(target), temporary.Folder, null, cancelled);
            }
            catch (RenderingException exception)
            {
                throw new VerbException(ExitCodes.Refused, exception.Message);
            }

            var seconds = Math.Round(video.Frames / RecordingVideo.FramesPerSecond, 2);
            var display = new Display(result);
            display.Line(display.IsJson
                ? new JsonObject { ["file"] = target, ["frames"] = video.Frames, ["seconds"] = seconds }.ToJsonString()
                : string.Create(CultureInfo.InvariantCulture, $"Saved {target} ({video.Frames} frames, {seconds} s)."));
        });
    });
}
